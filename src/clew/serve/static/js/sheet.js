/** A sheet over the page, for what is asked for once: an explanation, a form. Escape closes it. */

import { button, el, fill, find } from "./dom.js";

/** Open a sheet with a title; returns its body, to be filled. */
export function openSheet(title) {
  const sheet = find("#sheet");
  const body = el("div", { class: "sheet-body" });
  fill(sheet, el("header", {}, el("h2", { id: "sheet-title" }, title), button("Close", () => sheet.close(), { class: "quiet" })), body);
  sheet.setAttribute("aria-labelledby", "sheet-title");
  if (!sheet.open) sheet.showModal();
  return body;
}

/** Close it. */
export function closeSheet() {
  find("#sheet").close();
}
