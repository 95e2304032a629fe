/** All crawls below the folders that are served: look at one, compare two, start a new one. */

import { compare } from "./compare.js";
import { button, el, empty, fill } from "./dom.js";
import { ago, count, percent } from "./format.js";
import { formula } from "./formula.js";
import { attempt } from "./notices.js";
import { clean } from "./text.js";

const LOOK_MILLISECONDS = 3000;

/** The list of crawls in a place until `close` is called. */
export class CrawlsPage {
  constructor(place, server) {
    Object.assign(this, { server, chosen: new Set(), rows: new Map() });
    document.title = "Crawls – clew";
    this.list = el("ul", { class: "crawls" });
    this.comparison = el("section", { id: "comparison", "aria-label": "Comparison", hidden: true });
    this.compare = button("Compare two", () => this.show(), { disabled: true, class: "quiet", id: "compare" });
    fill(place,
      el("header", { class: "page-head" }, el("h1", {}, "Crawls"),
        el("div", { class: "controls" }, this.compare, el("a", { class: "button primary", href: "#/new" }, "Start a crawl"))),
      this.list, this.comparison);
    this.load();
    this.timer = setInterval(() => this.load(), LOOK_MILLISECONDS);
  }

  async load() {
    const answer = await attempt(this.server.crawls());
    if (!answer) { this.close(); return; }
    const crawls = answer.items;
    const rows = crawls.map((crawl) => this.row(crawl));
    if (!rows.length) fill(this.list, el("li", {}, empty("No crawl here yet. Start one: say what you are looking for, and name a page or two to begin with.")));
    else if (rows.some((row, index) => this.list.children[index] !== row)) fill(this.list, rows);
  }

  row(crawl) {
    if (!this.rows.has(crawl.id)) this.rows.set(crawl.id, this.made(crawl));
    const row = this.rows.get(crawl.id);
    const now = row.querySelector(".now");
    const numbers = [`${count(crawl.relevant)} relevant of ${count(crawl.visited)} visited`, percent(crawl.visited ? crawl.harvest : NaN), ago(crawl.at)];
    fill(now, el("span", { class: "state", "data-state": crawl.state, title: clean(crawl.why, 200) }, crawl.state), numbers.filter(Boolean).join(" · "));
    return row;
  }

  made(crawl) {
    const box = el("input", { type: "checkbox", "aria-label": `Compare ${clean(crawl.name, 60)}`, onchange: (event) => this.choose(crawl, event.target) });
    return el("li", { class: "crawl", "data-id": crawl.id }, box,
      el("div", {}, el("h2", {}, el("a", { href: `#/crawl/${encodeURIComponent(crawl.id)}` }, crawl.interest ? formula(crawl.interest) : clean(crawl.name))),
        el("p", { class: "source" }, clean(crawl.name, 80), crawl.strategy && ` · ${clean(crawl.strategy, 40)}`),
        el("p", { class: "now" })));
  }

  choose(crawl, box) {
    if (box.checked) this.chosen.add(crawl);
    else this.chosen.delete(crawl);
    this.compare.disabled = this.chosen.size !== 2;
  }

  async show() {
    this.comparison.hidden = false;
    await attempt(compare(this.comparison, [...this.chosen], this.server));
    this.comparison.scrollIntoView({ block: "nearest" });
  }

  close() {
    clearInterval(this.timer);
  }
}
