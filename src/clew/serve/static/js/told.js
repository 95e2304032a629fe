/** What the crawl was told, and what became of it. */

import { el, fill } from "./dom.js";
import { attempt } from "./notices.js";
import { clean } from "./text.js";

const SHOWN = 5;

/** The latest orders. */
export class Told {
  constructor(place, crawl) {
    Object.assign(this, { place, crawl, key: "" });
    this.list = el("ul", { class: "told", role: "status" });
    fill(place, this.list);
  }

  async load() {
    const answer = await attempt(this.crawl.orders());
    if (answer) this.show(answer.items);
  }

  show(orders) {
    this.place.hidden = !orders.length;
    const latest = orders.slice(0, SHOWN);
    const key = JSON.stringify(latest.map(({ id, state }) => [id, state]));
    if (key === this.key) return;
    this.key = key;
    fill(this.list, latest.map((order) => el("li", { "data-status": order.status, "data-kind": order.kind },
      el("strong", {}, clean([order.kind, ...order.words].join(" "), 80)), el("span", {}, clean(order.state, 200)))));
  }
}
