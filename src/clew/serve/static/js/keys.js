/** One list, one way to go through it: arrows or j and k, and a key for each answer. */

import { find } from "./dom.js";

/** Let the cards of a list be walked with the keyboard; `answers` says what a key does with a card. */
export function walkable(list, answers) {
  list.addEventListener("keydown", (event) => {
    const card = event.target.closest("[data-card]");
    if (!card || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const act = actionOf(event, answers);
    // Enter and space press the button or link that has the focus.
    if (!act || (event.target !== card && ["Enter", " "].includes(event.key))) return;
    event.preventDefault();
    act(card);
  });
}

function actionOf(event, answers) {
  const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
  if (event.key in steps) return (card) => step(card, steps[event.key]);
  return answers[event.key];
}

/** Move the focus to a neighbour of a card; it stays if there is none. */
export function step(card, by) {
  const cards = [...card.parentElement.closest("[data-cards]").querySelectorAll("[data-card]")];
  const next = cards[cards.indexOf(card) + by];
  if (next) focusCard(next);
}

/** Focus a card; the tab key comes back to it. */
export function focusCard(card) {
  const list = card.parentElement.closest("[data-cards]");
  for (const other of list.querySelectorAll("[data-card]")) other.tabIndex = -1;
  card.tabIndex = 0;
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
}

/** Keys that work anywhere on the page. */
export function shortcuts(actions) {
  document.addEventListener("keydown", (event) => {
    const act = actions[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || find("dialog[open]")) return;
    event.preventDefault();
    act();
  });
}

function isTyping(element) {
  return element.matches?.("input, textarea, select") ?? false;
}
