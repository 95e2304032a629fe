/** The pages whose label would teach most, one at a time; what an answer has changed is said at once. */

import { button, el, empty, fill, webLink } from "./dom.js";
import { count, counted, decimal } from "./format.js";
import { attempt } from "./notices.js";
import { preview, whyItCounts } from "./page_card.js";
import { walkable } from "./keys.js";
import { clean, hostOf } from "./text.js";

/** A small queue of questions. */
export class Unsure {
  constructor(place, crawl, { onWhy, label }) {
    Object.assign(this, { crawl, onWhy, label, queue: [], answered: new Set(), given: 0 });
    this.question = el("div", { class: "question", "data-cards": true });
    this.effect = el("p", { class: "effect", role: "status" });
    fill(place, el("p", { class: "hint" }, "These pages are close to the line. Each answer teaches the crawl what you mean."), this.question, this.effect);
    walkable(this.question, {
      y: (card) => this.press(card, ".yes"),
      n: (card) => this.press(card, ".no"),
      " ": (card) => this.press(card, ".later"),
      e: (card) => this.onWhy(card.dataset.url),
    });
  }

  press(card, selector) {
    card.querySelector(selector)?.click();
  }

  /** Ask for the queue, unless there is still a question to answer. */
  async load() {
    const answer = await attempt(this.crawl.unsure());
    if (!answer) return;
    const current = this.queue[0];
    const fresh = answer.items.filter((page) => !this.answered.has(page.url));
    // The question that is being read stays.
    const kept = current && this.isShown ? [current, ...fresh.filter((page) => page.url !== current.url)] : fresh;
    this.queue = kept;
    if (!current || !this.isShown) this.show();
  }

  show() {
    const page = this.queue[0];
    this.isShown = Boolean(page);
    const hadFocus = this.question.contains(document.activeElement);
    fill(this.question, page ? this.card(page) : empty("No open questions: the crawl is sure of the pages it has, or has too few of them yet."));
    if (hadFocus) this.question.querySelector("[data-card]")?.focus({ preventScroll: true });
  }

  card(page) {
    return el("article", { class: "card", "data-card": true, "data-url": page.url, tabindex: 0 },
      el("h3", {}, webLink(page.url, page.title || page.url)),
      el("p", { class: "source" }, el("span", { class: "host" }, clean(hostOf(page.url), 60)), el("span", {}, `relevance ${decimal(page.relevance)}`), el("span", {}, whyItCounts(page))),
      el("p", { class: "preview", dir: "auto" }, preview(page)),
      el("div", { class: "actions" },
        button("Yes, relevant", () => this.answer(page, true), { class: "answer yes", "aria-keyshortcuts": "y" }),
        button("No", () => this.answer(page, false), { class: "answer no", "aria-keyshortcuts": "n" }),
        button("Skip", () => this.forward(page), { class: "quiet later", "aria-keyshortcuts": "Space" })));
  }

  async answer(page, relevant) {
    this.forward(page);
    await this.label(page.url, relevant);
  }

  /** An answer was given, here or on another list. */
  told() {
    this.given += 1;
    fill(this.effect, `${counted(this.given, "answer")} given. The crawl takes them with its next commit.`);
  }

  forward(page) {
    this.answered.add(page.url);
    this.queue = this.queue.filter((other) => other.url !== page.url);
    this.show();
    if (this.queue.length < 2) this.load();
  }

  /** Say what the answers have changed; null: there were none. */
  learned(effect) {
    if (!effect) return;
    const sides = effect.sides ? `, ${count(effect.sides)} of them across the line` : "";
    fill(this.effect, effect.moved ? `${counted(effect.moved, "page")} moved${sides}.` : "Taken. No page moved.");
  }
}
