/** What is wanted, whether the crawl runs, and what can be done about it. */

import { button, el, fill, find, say } from "./dom.js";
import { count, duration } from "./format.js";
import { formula } from "./formula.js";
import { attempt, notice } from "./notices.js";
import { clean } from "./text.js";

const STATES = {
  running: "Running",
  paused: "Paused",
  stopped: "Stopped",
  finished: "Finished",
  unreadable: "Cannot be read",
};

/** The head of a crawl; `show` takes its overview. */
export class Headline {
  constructor(place, crawl, { onInterest }) {
    this.crawl = crawl;
    this.limits = [];
    this.shown = "";
    this.title = el("h1", { id: "interest" });
    this.state = el("p", { class: "state", role: "status" });
    this.controls = el("div", { class: "controls" });
    this.change = crawl.canSteer && button("Change what is wanted", onInterest, { class: "quiet", id: "change-interest" });
    fill(place, el("p", { class: "eyebrow" }, "Looking for"), this.title,
      el("div", { class: "headline-row" }, this.state, this.controls, this.change));
  }

  show(overview) {
    const { interest, state, why, seconds } = overview;
    this.limits = overview.limits ?? [];
    if (this.interest !== interest) fill(this.title, interest ? formula(interest) : "everything");
    this.interest = interest;
    document.title = `${clean(interest, 60) || "crawl"} – clew`;
    this.state.dataset.state = state;
    say(this.state, [STATES[state] ?? state, clean(why, 200), `after ${duration(seconds)}`].filter(Boolean).join(" · "));
    if (this.crawl.canSteer && this.shown !== state) this.showControls(state);
    this.shown = state;
  }

  showControls(state) {
    const hadFocus = this.controls.contains(document.activeElement);
    fill(this.controls, ...this.buttons(state));
    if (hadFocus) find("button", this.controls)?.focus();
  }

  buttons(state) {
    const tell = (text, kind, attributes) => button(text, (event) => this.tell(kind, event.target), attributes);
    const stop = tell("Stop", "stop", { id: "stop", title: "End the run cleanly; nothing is lost, and it can go on later" });
    if (state === "running") return [tell("Pause", "pause", { id: "pause", title: "Send nothing until told to go on (key p)" }), stop];
    if (state === "paused") return [tell("Go on", "go-on", { id: "go-on", class: "primary" }), stop];
    return [button("Go on", (event) => this.resume(event.target), { id: "resume", class: "primary" })];
  }

  async tell(kind, pressed) {
    pressed.disabled = true;
    const told = await attempt(this.crawl.tell(kind));
    if (!told) pressed.disabled = false;
  }

  async resume(pressed) {
    pressed.disabled = true;
    const limits = raised(this.limits);
    const told = await attempt(this.crawl.resume(limits));
    pressed.disabled = false;
    const further = Object.entries(limits).map(([name, limit]) => `${count(limit)} ${name}`);
    if (told) notice(further.length ? `Goes on, now up to ${further.join(" and ")}.` : "Goes on.");
  }

  /** The key p: pause, or go on. */
  toggle() {
    (find("#pause", this.controls) ?? find("#go-on", this.controls))?.click();
  }
}

/** A crawl that has reached a limit would end at once: each limit that is reached is doubled. */
export function raised(limits) {
  return Object.fromEntries(limits.filter(({ limit, now }) => limit > 0 && now >= limit).map(({ name, limit }) => [name, 2 * limit]));
}
