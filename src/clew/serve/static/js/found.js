/** The pages that were found: the best or the newest first, or those that fit a search. */

import { button, el, empty, fill } from "./dom.js";
import { count, counted } from "./format.js";
import { step, walkable } from "./keys.js";
import { attempt } from "./notices.js";
import { pageCard, showCards, showLabel } from "./page_card.js";
import { isWeb } from "./text.js";

const AT_ONCE = 10;
const TYPING_MILLISECONDS = 200;

/** The list of pages with its search; `refresh` asks for what is new. */
export class Found {
  constructor(place, crawl, { onWhy, label }) {
    Object.assign(this, { crawl, onWhy, label, sort: "best", query: "", all: false, limit: AT_ONCE, asked: 0 });
    this.list = el("ul", { class: "cards", "data-cards": true });
    this.status = el("p", { class: "hint", role: "status" });
    this.news = button("", () => this.load(), { class: "news", hidden: true });
    this.more = button("Show more", () => this.grow(), { class: "quiet more", hidden: true });
    fill(place, this.bar(), this.news, this.status, this.list, this.more);
    walkable(this.list, this.keys());
  }

  bar() {
    this.input = el("input", { type: "search", id: "search", placeholder: "Search, or paste an address", oninput: () => this.typed() });
    this.everywhere = el("input", { type: "checkbox", onchange: (event) => { this.all = event.target.checked; this.load(); } });
    const form = el("form", { class: "search", role: "search", onsubmit: (event) => this.submit(event) },
      el("label", { class: "unseen", for: "search" }, "Search the pages, or paste an address to see what became of it"), this.input,
      el("label", { class: "check" }, this.everywhere, "not relevant ones, too"));
    this.orders = el("div", { class: "switch", role: "group", "aria-label": "Order" },
      this.choice("best", "Best first"), this.choice("newest", "Newest first"));
    return el("div", { class: "bar" }, this.orders, form);
  }

  choice(sort, text) {
    return button(text, () => this.choose(sort), { "aria-pressed": String(sort === this.sort), "data-sort": sort });
  }

  choose(sort) {
    this.sort = sort;
    for (const other of this.orders.children) other.setAttribute("aria-pressed", String(other.dataset.sort === sort));
    this.limit = AT_ONCE;
    this.load();
  }

  keys() {
    const answer = (relevant) => (card) => card.querySelector(relevant ? ".answer.yes" : ".answer.no")?.click();
    return { y: answer(true), n: answer(false), " ": (card) => step(card, 1), e: (card) => this.onWhy(card.dataset.url), Enter: (card) => this.onWhy(card.dataset.url) };
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.seek(), TYPING_MILLISECONDS);
  }

  submit(event) {
    event.preventDefault();
    clearTimeout(this.timer);
    const given = this.input.value.trim();
    if (isWeb(given)) this.onWhy(given);
    else this.seek();
  }

  seek() {
    const query = this.input.value.trim();
    // An address is no query; it is explained when it is complete.
    this.query = isWeb(query) ? "" : query;
    this.limit = AT_ONCE;
    this.load();
  }

  grow() {
    this.limit += 2 * AT_ONCE;
    this.load();
  }

  async load() {
    const asked = ++this.asked;
    this.news.hidden = true;
    const answer = await attempt(this.ask());
    // A later question has been asked in the meantime.
    if (asked === this.asked && answer) this.show(answer);
  }

  ask() {
    const options = { limit: this.limit, relevant: this.all ? "" : true };
    if (this.query) return this.crawl.search(this.query, { ...options, relevant: !this.all });
    return this.crawl.pages({ sort: this.sort, ...options });
  }

  show({ items }) {
    const shown = items.slice(0, this.limit);
    this.shownTotal = this.total;
    const cards = shown.map((page) => pageCard(page, { onLabel: this.crawl.canSteer && ((...given) => this.answer(...given)), onWhy: this.onWhy }));
    showCards(this.list, cards);
    this.more.hidden = shown.length < this.limit;
    fill(this.status, this.summary(shown.length));
    if (!shown.length) fill(this.list, el("li", {}, this.advice()));
  }

  summary(shown) {
    if (this.query) return shown ? `${counted(shown, "page")} for “${this.query}”, the best first.` : "";
    if (!shown) return "";
    const keys = this.crawl.canSteer ? " On a card: y relevant, n not relevant, space next, e why." : "";
    return `${this.all ? counted(shown, "page") : `${count(shown)} of ${counted(Math.max(shown, this.total ?? 0), "relevant page")}`}.${keys}`;
  }

  advice() {
    if (this.query && !this.all) return empty("No relevant page has these words. Try fewer words, or search those that are not relevant, too.");
    if (this.query) return empty("No page has these words. Try fewer words, or the beginning of one with a star: harbo*");
    return empty("Nothing relevant yet. If this lasts, look at “Not sure?”: an answer there teaches the crawl; or change what is wanted.");
  }

  async answer(page, relevant, card) {
    showLabel(card, relevant);
    if (document.activeElement === card) step(card, 1);
    if (!(await this.label(page.url, relevant))) showLabel(card, page.label?.relevant);
  }

  /** New pages were committed: show them at once, unless somebody is reading or answering. */
  refresh(total) {
    this.total = total;
    if (this.query || total === this.shownTotal) return;
    if (!this.isUsed()) { this.load(); return; }
    this.news.textContent = `${counted(Math.max(1, total - this.shownTotal), "new page")} – show`;
    this.news.hidden = false;
  }

  isUsed() {
    // A list that is not full yet only grows.
    if (this.list.children.length < AT_ONCE) return false;
    return this.list.matches(":hover") || this.list.contains(document.activeElement) || this.limit > AT_ONCE;
  }
}
