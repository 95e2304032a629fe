/** The processes that share a crawl, one row each; a crawl of one process shows nothing here. */

import { el, fill, say } from "./dom.js";
import { count, percent } from "./format.js";

const COLUMNS = [
  ["Shard", (row) => count(row.shard)],
  ["Pages", (row) => count(row.pages)],
  ["Visited", (row) => count(row.visited)],
  ["Relevant", (row) => count(row.relevant)],
  ["Share relevant", (row) => percent(row.visited ? row.harvest : NaN)],
  ["Waiting", (row) => count(row.waiting)],
  ["Hosts", (row) => count(row.hosts)],
];

/** The table of shards; `show` takes their numbers. */
export class Shards {
  constructor(place) {
    this.place = place;
    this.rows = [];
  }

  show(shards) {
    this.place.hidden = !shards.length;
    if (this.rows.length !== shards.length) this.frame(shards.length);
    shards.forEach((shard, index) => COLUMNS.forEach(([, format], column) => say(this.rows[index].children[column], format(shard))));
  }

  frame(length) {
    this.rows = Array.from({ length }, () => el("tr", {}, COLUMNS.map(() => el("td", { class: "number" }))));
    const heads = COLUMNS.map(([text]) => el("th", { scope: "col", class: "number" }, text));
    fill(this.place, el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of shards" },
      el("table", { class: "hosts" }, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, this.rows))));
  }
}
