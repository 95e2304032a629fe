/** The interest as it is read: words in the foreground, operators quiet. */

import { el } from "./dom.js";
import { clean } from "./text.js";

const OPERATOR = /(\bAND\b|\bOR\b|\bNOT\b|[()])/;

/** A formula as nodes. */
export function formula(text) {
  const parts = clean(text, 600).split(OPERATOR);
  return parts.map((part, index) => (index % 2 ? el("span", { class: "operator" }, part) : part));
}
