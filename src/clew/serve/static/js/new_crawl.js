/** Start a crawl: what is wanted, where to begin, how far to go; everything else has a default. */

import { button, el, fill, find } from "./dom.js";
import { attempt } from "./notices.js";
import { changed, field, settingsForm } from "./settings_form.js";
import { clean } from "./text.js";

const TYPING_MILLISECONDS = 250;

/** The form in a place. */
export async function newCrawl(place, server) {
  document.title = "Start a crawl – clew";
  const answer = await attempt(server.settings());
  if (!answer) return;
  const settings = answer.sections.flatMap((section) => section.settings);
  const pages = settings.find(({ name }) => name === "pages");
  const verdict = el("p", { class: "check", role: "status" });
  const trouble = el("p", { class: "trouble", role: "alert", hidden: true });
  const form = el("form", { class: "new-crawl", onsubmit: (event) => start(event, settings, server, trouble) },
    interestField(verdict, server),
    el("div", { class: "field" }, el("label", { for: "setting-seeds" }, "Where to begin"),
      el("textarea", { id: "setting-seeds", name: "seeds", rows: 3, required: true, placeholder: "https://example.org/sailing" }),
      el("p", { class: "hint" }, "One address a line; a page or two on the subject are enough.")),
    field({ ...pages, help: "How many pages to visit. A thousand take some minutes; it can be changed later." }),
    el("h2", {}, "Everything else"), el("p", { class: "hint" }, "The defaults are good for a first crawl."),
    settingsForm(answer.sections), trouble,
    el("div", { class: "actions" }, button("Start", null, { type: "submit", class: "primary", id: "start" }), el("a", { href: "#/" }, "Back to the list")));
  fill(place, el("header", { class: "page-head" }, el("h1", {}, "Start a crawl")), form);
  find("#setting-interest").focus();
}

function interestField(verdict, server) {
  let timer;
  const check = (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => verify(event.target, verdict, server), TYPING_MILLISECONDS);
  };
  return el("div", { class: "field" }, el("label", { for: "setting-interest" }, "What to look for"),
    el("input", { id: "setting-interest", name: "interest", type: "text", required: true, autocomplete: "off", spellcheck: "false", placeholder: "sailing AND (ruegen OR hiddensee)", oninput: check }),
    verdict, el("p", { class: "hint" }, "Words and phrases, joined by AND, OR, NOT and parentheses."));
}

async function verify(input, verdict, server) {
  const asked = input.value.trim();
  if (!asked) { fill(verdict); return; }
  const answer = await server.check(asked).catch((error) => ({ ok: false, message: error.message }));
  if (input.value.trim() !== asked) return;
  verdict.dataset.ok = String(answer.ok);
  fill(verdict, answer.ok ? "The formula is sound." : clean(answer.message, 300));
}

async function start(event, settings, server, trouble) {
  event.preventDefault();
  const pressed = find("#start", event.target);
  pressed.disabled = true;
  trouble.hidden = true;
  try {
    const { id } = await server.start(changed(event.target, settings));
    location.hash = `#/crawl/${encodeURIComponent(id)}`;
  } catch (error) {
    trouble.hidden = false;
    fill(trouble, clean(error.message, 500));
    pressed.disabled = false;
  }
}
