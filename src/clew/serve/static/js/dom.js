/** Elements are made here and nowhere else: text becomes text nodes, never markup. */

import { clean, isWeb } from "./text.js";

const PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "open", "max", "min", "step", "rows", "selected"]);

/** An element with attributes (`on…`: a listener) and children; strings become text. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) set(element, key, value);
  fill(element, ...children);
  return element;
}

function set(element, key, value) {
  if (value === null || value === undefined || value === false) return;
  if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
  else if (PROPERTIES.has(key) && key in element) element[key] = value;
  else element.setAttribute(key, value === true ? "" : String(value));
}

/** Replace the children of an element. */
export function fill(element, ...children) {
  const wanted = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  element.replaceChildren(...wanted.map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

/** Change a text only if it differs, so that a screen reader and a selection are left alone. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A link to a page of the web; anything else (javascript:, data:) is plain text. */
export function webLink(url, text, attributes = {}) {
  const shown = clean(text) || clean(url, 120);
  if (!isWeb(url)) return el("span", attributes, shown);
  return el("a", { href: url, rel: "noreferrer noopener", target: "_blank", dir: "auto", ...attributes }, shown);
}

/** A button. */
export function button(text, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, text);
}

/** A line for a list without entries, which says what to do next. */
export function empty(...text) {
  return el("p", { class: "empty" }, ...text);
}

/** The first element that fits, inside another one. */
export function find(selector, root = document) {
  return root.querySelector(selector);
}
