/** Any address: its state, the reason, the path of links that led to it, and the parts of its score. */

import { el, empty, fill, webLink } from "./dom.js";
import { decimal } from "./format.js";
import { preview } from "./page_card.js";
import { openSheet } from "./sheet.js";
import { clean, shortAddress } from "./text.js";

const STATES = {
  fetched: "Visited",
  queued: "Waits to be visited",
  failed: "Visited, without success",
  duplicate: "A copy of another page",
  redirected: "Leads to another address",
  "out of scope": "Outside the scope of this crawl",
  unknown: "Never seen",
};

/** Explain an address in a sheet. */
export async function explain(crawl, url) {
  const body = openSheet("Why this page?");
  fill(body, el("p", { class: "hint" }, "Looking it up …"));
  try {
    fill(body, ...parts(await crawl.explain(url)));
  } catch (error) {
    fill(body, empty(error.message));
  }
}

function parts(explanation) {
  const { url, page, state, reason } = explanation;
  return [
    el("h3", {}, webLink(url, page?.title || url)),
    el("p", { class: "source" }, shortAddress(url)),
    el("p", { class: "verdict" }, el("strong", {}, STATES[state] ?? clean(state)), verdict(explanation)),
    reason && el("p", {}, clean(reason, 300)),
    state === "unknown" && empty("No page of this crawl links to it. To have it visited, add it as a start page: Next up, Fetch now."),
    page && el("p", { class: "preview whole", dir: "auto" }, preview(page)),
    ...words(explanation),
    ...path(explanation.path ?? []),
    ...score(explanation),
  ];
}

function verdict({ page, threshold }) {
  if (!page || page.state !== "fetched") return "";
  const side = page.relevant ? "counts as relevant" : "does not count as relevant";
  const line = Number.isFinite(threshold) ? `; the line is at ${decimal(threshold)}` : "";
  return `, ${side}: relevance ${decimal(page.relevance)}${line}`;
}

/** The words or examples behind the verdict. */
function words({ topics = [] }) {
  const rows = topics.filter((topic) => topic.words?.length);
  if (!rows.length) return [];
  return [el("h4", {}, "What it says"), el("ul", { class: "words" }, rows.map((topic) =>
    el("li", {}, el("strong", {}, clean(topic.topic ?? topic.name, 80)), " ", topic.words.slice(0, 8).map(word).join(", "))))];
}

function word(found) {
  const [text, times] = Array.isArray(found) ? found : [found.word ?? found.term, found.count];
  return times ? `${clean(text, 40)} × ${times}` : clean(text, 40);
}

function path(steps) {
  if (steps.length < 2) return steps.length ? [el("p", { class: "hint" }, "It is a start page: no link led to it.")] : [];
  return [el("h4", {}, "How the crawl got there"), el("ol", { class: "path" }, steps.map(step))];
}

function step({ url, title, state, relevance, relevant, anchor, kind }) {
  const how = kind === "start" ? "start page" : `link “${clean(anchor, 80) || "without text"}”`;
  const verdict = state === "fetched" ? `relevance ${decimal(relevance)}${relevant ? "" : ", not relevant"}` : STATES[state] ?? state;
  return el("li", { class: relevant ? "relevant" : "" },
    el("span", { class: "how" }, how), webLink(url, title || shortAddress(url)),
    el("span", { class: "source" }, `${shortAddress(url, 60)} · ${verdict}`));
}

/** The parts of the score as bars; the longest is the strongest. */
function score({ parts: found = [], page }) {
  const rows = (Array.isArray(found) ? found : Object.entries(found)).map(named).filter(({ value }) => Number.isFinite(value));
  const most = Math.max(...rows.map(({ value }) => Math.abs(value)), 0) || 1;
  const whole = page && Number.isFinite(page.score) ? ` (${decimal(page.score)})` : "";
  if (!rows.length) return [];
  return [el("h4", {}, `What its score is made of${whole}`), el("ul", { class: "parts" }, rows.map(({ name, value }) =>
    el("li", { class: value < 0 ? "against" : "" }, el("span", {}, clean(name, 80)), el("meter", { min: 0, max: most, value: Math.abs(value), "aria-label": clean(name, 80) }), el("span", { class: "number" }, decimal(value)))))];
}

function named(part) {
  if (Array.isArray(part)) return { name: part[0], value: part[1] };
  return { name: part.text ?? part.name ?? part.part, value: part.value };
}
