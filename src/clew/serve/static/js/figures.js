/** The figures of a crawl in one row; their places never move. */

import { el, fill, say } from "./dom.js";
import { count, duration, percent, speed } from "./format.js";

const FIGURES = [
  ["relevant", "Relevant pages", (s) => count(s.relevant), "Pages that fit what is wanted"],
  ["visited", "Visited", (s) => count(s.visited), "Pages and failures; redirects do not count"],
  ["overall", "Share relevant", (s) => percent(s.visited ? s.harvest : NaN), "Relevant pages among all visits"],
  ["recent", "Share now", (s) => percent(s.visited ? s.harvest_now : NaN), "Relevant pages among the last 100 visits"],
  ["waiting", "Waiting", (s) => count(s.waiting), "Addresses that are known and not visited yet"],
  ["speed", "Pages a second", (s) => speed(s.pages_per_second ?? s.pages_per_second_overall), "In the last seconds; of the whole crawl when it has stopped"],
  ["time", "Time", (s) => duration(s.seconds), "Running time of the crawl"],
];

/** The row of figures; `show` takes the numbers of the crawl. */
export class Figures {
  constructor(place) {
    this.values = new Map();
    fill(place, el("dl", { class: "figures" }, FIGURES.map((figure) => this.figure(...figure))));
  }

  figure(name, text, _, help) {
    const value = el("dd", { id: `figure-${name}` }, "–");
    this.values.set(name, value);
    return el("div", { title: help, "data-figure": name }, el("dt", {}, text), value);
  }

  show(stats) {
    for (const [name, , format] of FIGURES) say(this.values.get(name), format(stats));
  }
}
