/** What the crawl will fetch next, and why; candidates can be dropped, or fetched at once. */

import { button, el, empty, fill } from "./dom.js";
import { decimal } from "./format.js";
import { attempt, notice } from "./notices.js";
import { clean, shortAddress } from "./text.js";

const SHORT = 8;

/** The head of the frontier. */
export class NextUp {
  constructor(place, crawl, { onWhy }) {
    Object.assign(this, { crawl, onWhy, isLong: false, gone: new Set() });
    this.list = el("ol", { class: "next" });
    this.more = button("Show all", () => this.grow(), { class: "quiet more", hidden: true });
    fill(place, this.list, this.more);
  }

  async load() {
    const answer = await attempt(this.crawl.next());
    if (answer) this.show(answer.items);
  }

  grow() {
    this.isLong = !this.isLong;
    this.more.textContent = this.isLong ? "Show fewer" : "Show all";
    this.show(this.candidates, true);
  }

  show(candidates, isAsked = false) {
    this.candidates = candidates;
    // Nothing moves while somebody is about to press something.
    if (!isAsked && (this.list.matches(":hover") || this.list.contains(document.activeElement))) return;
    const waiting = candidates.filter((candidate) => !this.gone.has(candidate.url));
    this.more.hidden = waiting.length <= SHORT;
    const shown = this.isLong ? waiting : waiting.slice(0, SHORT);
    fill(this.list, shown.length ? shown.map((candidate) => this.row(candidate)) : el("li", {}, empty("Nothing waits. The crawl ends here unless you add start pages.")));
  }

  row(candidate) {
    const why = () => this.onWhy(candidate.url);
    return el("li", { "data-url": candidate.url },
      el("div", {},
        button(clean(candidate.anchor, 80) || shortAddress(candidate.url, 60), why, { class: "link", dir: "auto" }),
        el("span", { class: "score", title: "score" }, candidate.score_note || decimal(candidate.score)),
        el("p", { class: "source" }, clean(candidate.host, 60)),
        el("p", { class: "why" }, whyItWaits(candidate))),
      this.crawl.canSteer && el("div", { class: "actions" },
        button("Fetch now", () => this.tell("fetch", candidate.url, "Is fetched next."), { class: "quiet" }),
        button("Drop", () => this.tell("drop", candidate.url, "Is dropped."), { class: "quiet" })));
  }

  async tell(kind, url, done) {
    if (!(await attempt(this.crawl.tell(kind, url)))) return;
    this.gone.add(url);
    this.list.querySelector(`[data-url="${CSS.escape(url)}"]`)?.remove();
    notice(done);
  }
}

/** The strongest parts of the score, or where the link was found. */
export function whyItWaits({ reasons, source, kind }) {
  if (reasons?.length) return reasons.slice(0, 3).map((part) => clean(part.text ?? `${part.name} ${decimal(part.value)}`, 80)).join(" · ");
  if (kind === "start") return "a start page";
  return source ? `linked from ${shortAddress(source, 60)}` : "";
}
