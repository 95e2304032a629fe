/** The hosts: what they have brought, and whether to go on with them. */

import { button, el, empty, fill } from "./dom.js";
import { count, delay } from "./format.js";
import { attempt, notice } from "./notices.js";
import { clean } from "./text.js";

const AT_ONCE = 10;

/** The table of hosts. */
export class Hosts {
  constructor(place, crawl) {
    Object.assign(this, { crawl, limit: AT_ONCE });
    this.rows = new Map();
    this.place = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of hosts" });
    this.more = button("Show more", () => { this.limit += 20; this.load(); }, { class: "quiet more", hidden: true });
    fill(place, this.place, this.more);
  }

  async load() {
    const answer = await attempt(this.crawl.hosts({ limit: this.limit }));
    if (answer) this.show(answer.items);
  }

  show(hosts) {
    this.more.hidden = hosts.length < this.limit;
    if (!hosts.length) { fill(this.place, empty("No host has been visited yet.")); this.body = null; return; }
    if (!this.body) this.frame();
    const rows = hosts.slice(0, this.limit).map((host) => this.row(host));
    // Rows are kept, so that a button that is about to be pressed stays under the finger.
    if (rows.some((row, index) => this.body.children[index] !== row) || this.body.children.length !== rows.length) {
      if (!this.body.matches(":hover") && !this.body.contains(document.activeElement)) fill(this.body, rows);
    }
  }

  frame() {
    this.body = el("tbody");
    const heads = [["Host"], ["Visited", "number"], ["Relevant", "number"], ["Waiting", "number"], ["Delay", "number"]];
    const head = el("tr", {}, heads.map(([text, name]) => el("th", { scope: "col", class: name }, text)),
      this.crawl.canSteer && el("th", { scope: "col" }, el("span", { class: "unseen" }, "Actions")));
    fill(this.place, el("table", { class: "hosts" }, el("thead", {}, head), this.body));
  }

  row(host) {
    const row = this.rows.get(host.host) ?? this.made(host);
    row.dataset.state = host.denied ? "blocked" : "";
    const cells = [count(host.visited), count(host.relevant), count(host.waiting), delay(host.delay)];
    cells.forEach((text, index) => { row.children[index + 1].textContent = text; });
    const meter = el("meter", { min: 0, max: 1, value: host.visited ? host.relevant / host.visited : 0, "aria-label": "share of relevant pages" });
    row.children[2].append(" ", meter);
    if (this.crawl.canSteer) this.actions(row, host);
    return row;
  }

  made(host) {
    const name = el("th", { scope: "row", dir: "auto" }, clean(host.host, 60));
    const row = el("tr", { "data-host": host.host }, name, [0, 1, 2, 3].map(() => el("td", { class: "number" })), this.crawl.canSteer && el("td", { class: "actions" }));
    this.rows.set(host.host, row);
    return row;
  }

  actions(row, host) {
    if (row.dataset.shown === String(Boolean(host.denied))) return;
    row.dataset.shown = String(Boolean(host.denied));
    const cell = row.lastElementChild;
    fill(cell, host.denied
      ? button("Allow", () => this.tell("allow", host.host), { class: "quiet" })
      : [button("Favour", () => this.tell("favour", host.host), { class: "quiet", title: "Prefer its pages" }),
        button("Block", () => this.tell("block", host.host), { class: "quiet", title: "Never ask this host again" })]);
  }

  async tell(kind, host) {
    const told = await attempt(this.crawl.tell(kind, host));
    if (told) notice(`${{ block: "Blocks", allow: "Allows", favour: "Favours" }[kind]} ${host} with the next commit.`);
  }
}
