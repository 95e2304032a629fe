/** One page: title, host, the start of its main text with the matching words marked, and why it counts. */

import { button, el, fill, webLink } from "./dom.js";
import { ago, decimal } from "./format.js";
import { marked, words } from "./marked.js";
import { clean, hostOf } from "./text.js";

/** A card; `actions` says what can be done with it. */
export function pageCard(page, { onLabel, onWhy }) {
  const card = el("article", { class: "card", "data-card": true, "data-url": page.url, tabindex: -1 },
    el("h3", {}, webLink(page.url, page.title || page.url)),
    el("p", { class: "source" }, el("span", { class: "host" }, clean(hostOf(page.url), 60)), facts(page)),
    el("p", { class: "preview", dir: "auto" }, preview(page)));
  card.append(actions(page, card, { onLabel, onWhy }));
  showLabel(card, page.label?.relevant);
  return card;
}

function facts(page) {
  const parts = [`relevance ${decimal(page.relevance)}`, page.relevant ? "" : "not relevant", ago(page.at), whyItCounts(page)];
  return parts.filter(Boolean).map((part) => el("span", {}, part));
}

/** The preview as nodes: the place that fits a search, or the beginning with the words that are wanted. */
export function preview(page) {
  const parts = page.snippet ?? page.preview ?? [];
  return parts.length ? marked(parts) : [el("span", { class: "missing" }, "Its text was not kept.")];
}

/** In words, why a page counts. */
export function whyItCounts(page) {
  const found = words(page.snippet ?? page.preview ?? []);
  return found.length ? `mentions ${clean(found.slice(0, 6).join(", "), 120)}` : "";
}

function actions(page, card, { onLabel, onWhy }) {
  const answer = (relevant) => onLabel && onLabel(page, relevant, card);
  return el("div", { class: "actions" },
    onLabel && button("Relevant", () => answer(true), { class: "answer yes", "aria-keyshortcuts": "y" }),
    onLabel && button("Not relevant", () => answer(false), { class: "answer no", "aria-keyshortcuts": "n" }),
    onWhy && button("Why?", () => onWhy(page.url), { class: "quiet", "aria-keyshortcuts": "e" }));
}

/** Show on a card what its user has answered; undefined or null: nothing yet. */
export function showLabel(card, label) {
  const known = label === true || label === false;
  card.dataset.label = known ? (label ? "yes" : "no") : "";
  for (const [name, value] of [["yes", true], ["no", false]]) {
    card.querySelector(`.answer.${name}`)?.setAttribute("aria-pressed", String(known && label === value));
  }
}

/** Replace the cards of a list; the card that had the focus keeps it, if its page is still there. */
export function showCards(list, cards) {
  const focused = document.activeElement?.closest?.("[data-card]");
  const url = list.contains(focused) ? focused.dataset.url : null;
  fill(list, cards.map((card) => el("li", {}, card)));
  const same = url && cards.find((card) => card.dataset.url === url);
  const first = same || cards[0];
  if (first) first.tabIndex = 0;
  same?.focus({ preventScroll: true });
}
