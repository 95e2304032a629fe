/** The settings as a form, made from the one list of settings that clew has. */

import { el } from "./dom.js";

const FIRST = new Set(["interest", "seeds", "pages"]);

/** The sections of the form; those settings that every crawl needs are left to the page around it. */
export function settingsForm(sections) {
  return sections.map(({ title, settings }) => el("details", { class: "settings" },
    el("summary", {}, title),
    el("div", { class: "fields" }, settings.filter(({ name }) => !FIRST.has(name)).map(field))));
}

/** One setting with its help. */
export function field(setting) {
  const id = `setting-${setting.name}`;
  const control = setting.type === "flag" ? flag(id, setting) : setting.choices?.length ? choice(id, setting) : text(id, setting);
  return el("div", { class: setting.type === "flag" ? "field flag" : "field" }, el("label", { for: id }, setting.name.replaceAll("_", " ")), control,
    el("p", { class: "hint", id: `${id}-help` }, setting.help));
}

function flag(id, { name, default: value }) {
  return el("input", { id, name, type: "checkbox", checked: Boolean(value), "aria-describedby": `${id}-help` });
}

function choice(id, { name, default: value, choices }) {
  return el("select", { id, name, "aria-describedby": `${id}-help` }, choices.map((one) => el("option", { value: one, selected: one === value }, one)));
}

function text(id, { name, type, default: value }) {
  const shown = Array.isArray(value) ? value.join("\n") : value ?? "";
  const described = { id, name, "aria-describedby": `${id}-help`, placeholder: type === "number" ? "no limit" : "" };
  if (type === "list") return el("textarea", { ...described, rows: 2, value: shown, placeholder: "one a line" });
  return el("input", { ...described, type: "text", inputmode: type === "number" ? "decimal" : "text", value: shown });
}

/** The settings that differ from their defaults, as clew takes them. */
export function changed(form, settings) {
  const found = {};
  for (const setting of settings) {
    const control = form.elements[setting.name];
    if (!control) continue;
    const value = valueOf(control, setting);
    if (JSON.stringify(value) !== JSON.stringify(setting.default ?? (setting.type === "list" ? [] : null))) found[setting.name] = value;
  }
  return found;
}

function valueOf(control, { type, default: value }) {
  if (type === "flag") return control.checked;
  const given = control.value.trim();
  if (type === "list") return given.split("\n").map((line) => line.trim()).filter(Boolean);
  if (given === "") return value === "" ? "" : null;
  return type === "number" && !Number.isNaN(Number(given)) ? Number(given) : given;
}
