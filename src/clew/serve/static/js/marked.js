/** Text in which the words that decided are marked. */

import { el } from "./dom.js";
import { cleanPart } from "./text.js";

/** Nodes of a text that comes as [text, is it a match] pairs. */
export function marked(parts) {
  return parts.map(([text, isMatch]) => (isMatch ? el("mark", {}, cleanPart(text)) : cleanPart(text)));
}

/** The marked words, each once. */
export function words(parts) {
  return [...new Set(parts.filter(([, isMatch]) => isMatch).map(([text]) => text.toLowerCase()))];
}
