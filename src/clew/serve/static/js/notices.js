/** Short messages at the foot of the page; a screen reader reads them out. */

import { button, el, find } from "./dom.js";
import { clean } from "./text.js";

const SECONDS = 6;

/** Show a message; `again`, if given, is an action such as undo. */
export function notice(text, { isTrouble = false, action = null } = {}) {
  const box = el("p", { class: isTrouble ? "notice trouble" : "notice" }, clean(text, 400));
  if (action) box.append(" ", button(action.text, () => { box.remove(); action.act(); }, { class: "quiet" }));
  if (isTrouble) box.append(" ", button("Close", () => box.remove(), { class: "quiet" }));
  const shelf = find("#notices");
  shelf.append(box);
  while (shelf.children.length > 3) shelf.firstChild.remove();
  if (!isTrouble) setTimeout(() => box.remove(), 1000 * SECONDS);
}

/** Do something; what goes wrong is shown, and the answer is then undefined. */
export async function attempt(promise) {
  try {
    return await promise;
  } catch (error) {
    notice(error.message, { isTrouble: true });
    return undefined;
  }
}
