/** The editor of the interest: a live check, and a dry run that says what a change would cost. */

import { button, el, fill } from "./dom.js";
import { counted } from "./format.js";
import { attempt, notice } from "./notices.js";
import { closeSheet, openSheet } from "./sheet.js";
import { clean } from "./text.js";

const TYPING_MILLISECONDS = 300;

/** Open the editor for a crawl. */
export function editInterest(crawl, overview) {
  const body = openSheet("Change what is wanted");
  const verdict = el("p", { class: "check", role: "status" });
  const send = button("Use it from now on", () => use(crawl, input.value), { class: "primary", disabled: true });
  let timer;
  const input = el("textarea", { id: "new-interest", rows: 3, spellcheck: "false", value: overview.interest, oninput: () => {
    clearTimeout(timer);
    send.disabled = true;
    timer = setTimeout(() => tryOut(crawl, input, verdict, send), TYPING_MILLISECONDS);
  } });
  fill(body,
    el("label", { for: "new-interest" }, "Words and phrases, joined by AND, OR, NOT and parentheses"), input, verdict,
    el("p", { class: "hint" }, "All pages are judged again, and the crawl goes on with the new interest. Nothing is fetched twice."),
    el("div", { class: "actions" }, send, button("Leave it as it is", closeSheet, { class: "quiet" })));
  input.focus();
}

async function tryOut(crawl, input, verdict, send) {
  const asked = input.value.trim();
  fill(verdict, "Trying it on the pages that are there …");
  let answer;
  try {
    answer = await crawl.tryInterest(asked);
  } catch (error) {
    answer = { error: error.message };
  }
  // More was typed in the meantime.
  if (input.value.trim() !== asked) return;
  send.disabled = Boolean(answer.error);
  fill(verdict, answer.error ? clean(answer.error, 300) : effect(answer));
  verdict.dataset.ok = String(!answer.error);
}

/** "31 of 92 finds would no longer count, and 4 other pages would", and some of those that would not. */
function effect({ message, gained, pages, examples }) {
  const titles = examples.slice(0, 3).map(({ title, url }) => `“${clean(title || url, 60)}”`);
  const others = `${gained ? `, and ${counted(gained, "other page")} would` : ""} (of the latest ${counted(pages, "page")})`;
  return `${clean(message, 200)}${others}${titles.length ? `. No longer: ${titles.join(", ")}` : ""}.`;
}

async function use(crawl, interest) {
  const told = await attempt(crawl.tell("interest", interest.trim()));
  if (!told) return;
  closeSheet();
  notice("The crawl takes the new interest with its next commit; the curve shows a mark.");
}
