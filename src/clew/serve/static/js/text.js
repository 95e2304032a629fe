/** Crawled text is hostile: what is shown is short, on one line, and free of control and direction marks. */

const UNSAFE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2028\u2029\u2060-\u206f\ufeff\ufff9-\uffff]/g;
const SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** At most so many characters of a text, without marks that change how others are read. */
export function clean(text, most = 300) {
  // A title of 10 MB is cut before anything else is done with it.
  const start = String(text ?? "").slice(0, 4 * most);
  const plain = start.replace(UNSAFE, "").replace(SURROGATES, "").replace(/\s+/g, " ").trim();
  return plain.length > most ? `${plain.slice(0, most - 1).trimEnd()}…` : plain;
}

/** Clean text of several parts, of which spaces at the seams count. */
export function cleanPart(text, most = 600) {
  return String(text ?? "").slice(0, most).replace(UNSAFE, "").replace(SURROGATES, "").replace(/\s+/g, " ");
}

/** The host of an address, "" for anything that is none. */
export function hostOf(url) {
  return URL.canParse(url) ? new URL(url).host : "";
}

/** An address without its scheme, short enough for one line. */
export function shortAddress(url, most = 90) {
  return clean(String(url).replace(/^https?:\/\//, "").replace(/\/$/, ""), most);
}

/** Whether a link may be followed: nothing but the web. */
export function isWeb(url) {
  return URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);
}
