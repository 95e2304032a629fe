/** The page of one crawl: every part of it, and what happens when the crawl goes on. */

import { Curve } from "./curve.js";
import { el, fill, find, say } from "./dom.js";
import { explain } from "./explanation.js";
import { Effect } from "./effect.js";
import { Figures } from "./figures.js";
import { Found } from "./found.js";
import { Headline } from "./headline.js";
import { Hosts } from "./hosts.js";
import { editInterest } from "./interest.js";
import { NextUp } from "./next_up.js";
import { attempt, notice } from "./notices.js";
import { Shards } from "./shards.js";
import { Told } from "./told.js";
import { Unsure } from "./unsure.js";

const PARTS = [
  ["found", "Best pages", "What was found"],
  ["unsure", "Not sure?", "Your answers teach the crawl"],
  ["next", "Next up", "What will be fetched, and why"],
  ["hosts", "Hosts", "Where it was found"],
];
const QUIET_MILLISECONDS = 1500;

/** Show a crawl in a place until `close` is called. */
export class CrawlPage {
  constructor(place, crawl) {
    Object.assign(this, { crawl, visited: -1, labels: -1, due: false });
    this.frame(place);
    const onWhy = (url) => explain(crawl, url);
    const label = (url, relevant) => this.label(url, relevant);
    this.headline = new Headline(find("#headline", place), crawl, { onInterest: () => editInterest(crawl, this.overview) });
    this.figures = new Figures(find("#figures", place));
    this.shards = new Shards(find("#shards", place));
    this.curve = new Curve(find("#curve", place));
    this.found = new Found(find("#found .part", place), crawl, { onWhy, label });
    this.unsure = crawl.canSteer ? new Unsure(find("#unsure .part", place), crawl, { onWhy, label }) : null;
    this.hosts = new Hosts(find("#hosts .part", place), crawl);
    this.next = new NextUp(find("#next .part", place), crawl, { onWhy });
    this.effect = new Effect(crawl);
    this.told = new Told(find("#told", place), crawl);
    this.open();
  }

  frame(place) {
    this.link = el("p", { class: "connection", role: "status", hidden: true });
    fill(place, this.link,
      el("section", { id: "headline", "aria-labelledby": "interest" }),
      el("section", { id: "figures", "aria-label": "Figures" }),
      el("section", { id: "shards", "aria-label": "Shards", hidden: true }),
      el("section", { id: "told", "aria-label": "What you told the crawl", hidden: true }),
      el("section", { id: "curve", "aria-label": "Harvest" }),
      el("div", { class: "columns" }, PARTS.filter(([id]) => this.crawl.canSteer || id !== "unsure").map((part) => section(...part))));
  }

  async open() {
    const overview = await attempt(this.crawl.overview());
    if (!overview) return;
    this.show(overview);
    this.end = this.crawl.watch((news) => this.show({ ...this.overview, ...news }), (trouble) => this.connection(trouble));
  }

  connection(trouble) {
    this.link.hidden = !trouble;
    say(this.link, trouble);
  }

  show(overview) {
    this.overview = overview;
    this.headline.show(overview);
    this.figures.show(overview);
    this.shards.show(overview.shards ?? []);
    const { visited, relevant, orders, labels, labels_waiting, interest, state, orders_waiting } = overview;
    const key = JSON.stringify([visited, relevant, orders, labels, labels_waiting, interest, state, orders_waiting]);
    if (key !== this.key) this.refresh();
    this.key = key;
  }

  /** The lists follow the figures, but not more often than anybody could read. */
  refresh() {
    if (this.due) return;
    this.due = true;
    const wait = this.loadedAt ? Math.max(0, QUIET_MILLISECONDS - (Date.now() - this.loadedAt)) : 0;
    this.timer = setTimeout(() => this.load(), wait);
  }

  async load() {
    this.due = false;
    this.loadedAt = Date.now();
    this.found.refresh(this.overview.relevant);
    this.unsure?.load();
    this.hosts.load();
    this.next.load();
    this.told.load();
    if (!this.overview.labels_waiting) this.unsure?.learned(await this.effect.end());
    const curve = await attempt(this.crawl.curve());
    if (curve) this.curve.show(curve);
  }

  /** Answers go one after the other: of two about the same page, the later one counts. */
  label(url, relevant) {
    this.labelled = (this.labelled ?? Promise.resolve()).then(() => this.send(url, relevant));
    return this.labelled;
  }

  async send(url, relevant) {
    await attempt(this.effect.begin());
    const told = await attempt(this.crawl.label(url, relevant));
    if (told) notice(relevant ? "Noted: relevant." : "Noted: not relevant.");
    if (told) this.unsure.told();
    return told;
  }

  close() {
    clearTimeout(this.timer);
    this.end?.();
  }
}

function section(id, title, hint) {
  return el("section", { id, class: "panel", "aria-labelledby": `${id}-title` },
    el("header", {}, el("h2", { id: `${id}-title` }, title), el("p", { class: "hint" }, hint)),
    el("div", { class: "part" }));
}
