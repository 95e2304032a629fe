/** Two crawls side by side: their curves over the same visits, and their figures. */

import { axes, colour, fresh, line } from "./plot.js";
import { el, fill } from "./dom.js";
import { count, duration, percent } from "./format.js";
import { clean } from "./text.js";

const FIGURES = [
  ["Relevant pages", (crawl) => count(crawl.relevant)],
  ["Visited", (crawl) => count(crawl.visited)],
  ["Share relevant", (crawl) => percent(crawl.harvest)],
  ["Waiting", (crawl) => count(crawl.waiting)],
  ["Time", (crawl) => duration(crawl.seconds)],
  ["Strategy", (crawl) => clean(crawl.strategy, 40)],
];

/** Fill a place with the comparison of two crawls. */
export async function compare(place, crawls, server) {
  const curves = await Promise.all(crawls.map((crawl) => server.crawl(crawl.id).curve()));
  const plot = el("div", { class: "plot", role: "img", "aria-label": "Relevant pages found by both crawls, over visits" });
  fill(place, el("h2", {}, "Relevant pages found, over visits"), plot, table(crawls));
  const series = crawls.map((crawl, index) => line(clean(crawl.name, 40), colour(index ? "--second" : "--accent")));
  fresh(plot, { series: [{ label: "visits" }, ...series], axes: axes(count), legend: { show: true } }, joined(curves));
}

function table(crawls) {
  const head = el("tr", {}, el("td"), crawls.map((crawl, index) => el("th", { scope: "col", class: `number curve-${index}` }, clean(crawl.name, 60))));
  const rows = FIGURES.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), crawls.map((crawl) => el("td", { class: "number" }, value(crawl)))));
  return el("div", { class: "scroll" }, el("table", {}, el("thead", {}, head), el("tbody", {}, rows)));
}

/** Two curves over one axis; where one has no point, its line goes through. */
function joined(curves) {
  const visits = [...new Set(curves.flatMap(({ points }) => points.map(([visit]) => visit)))].sort((a, b) => a - b);
  const columns = curves.map(({ points }) => new Map(points));
  return [visits, ...columns.map((found) => visits.map((visit) => found.get(visit)))];
}
