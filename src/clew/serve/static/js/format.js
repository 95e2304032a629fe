/** Numbers as people read them. */

const WHOLE = new Intl.NumberFormat("en");
const STEPS = [[60, "second"], [60, "minute"], [24, "hour"], [Infinity, "day"]];

/** 12345 as 12,345; a dash for what is not known. */
export function count(number) {
  return Number.isFinite(number) ? WHOLE.format(Math.round(number)) : "–";
}

/** "1 page", "2 pages". */
export function counted(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** 0.137 as 14 %. */
export function percent(share) {
  if (!Number.isFinite(share)) return "–";
  return share > 0 && share < 0.0995 ? `${(100 * share).toFixed(1)} %` : `${Math.round(100 * share)} %`;
}

/** A score or a relevance, with two digits. */
export function decimal(number) {
  return Number.isFinite(number) ? number.toFixed(2) : "–";
}

/** 3725 as 1 h 2 min. */
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return "–";
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Pages per second, with a digit where it matters. */
export function speed(perSecond) {
  if (!Number.isFinite(perSecond)) return "–";
  return perSecond < 9.95 ? perSecond.toFixed(1) : count(perSecond);
}

/** A delay between two requests. */
export function delay(seconds) {
  return Number.isFinite(seconds) ? `${Number(seconds.toFixed(1))} s` : "–";
}

/** How long ago a moment was, in seconds since 1970: "2 minutes ago". */
export function ago(moment, now = Date.now() / 1000) {
  if (!moment) return "";
  let passed = Math.max(0, now - moment);
  if (passed < 5) return "just now";
  for (const [size, name] of STEPS) {
    if (passed < size) return `${counted(Math.floor(passed), name)} ago`;
    passed /= size;
  }
  return "";
}
