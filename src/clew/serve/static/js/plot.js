/** What all curves share: colours of the theme, axes, and how a plot is made. */

import { count } from "./format.js";

export const HEIGHT = 220;

/** A colour of the theme. */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A curve. */
export function line(label, stroke = colour("--accent")) {
  return { label, stroke, width: 2, points: { show: false }, spanGaps: true };
}

/** Visits below, and values at the left. */
export function axes(format) {
  const axis = { stroke: colour("--muted"), ticks: { show: false }, font: "12px system-ui" };
  return [
    { ...axis, grid: { show: false }, size: 32, values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? count(tick) : "")) },
    { ...axis, grid: { stroke: colour("--line"), width: 1 }, size: 48, values: (_, ticks) => ticks.map(format) },
  ];
}

/** A new plot in a place, as wide as that. */
export function fresh(place, options, data, least = 5) {
  const scales = { x: { time: false }, y: { range: (_, low, high) => [0, Math.max(high * 1.05, least)] } };
  const cursor = { drag: { setScale: false }, points: { show: false }, y: false };
  const size = { width: place.clientWidth, height: HEIGHT };
  place.replaceChildren();
  return new globalThis.uPlot({ ...size, scales, cursor, legend: { show: false }, ...options }, data, place);
}
