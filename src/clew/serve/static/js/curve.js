/** The harvest: relevant pages over visits, with the forecast as a band and a mark wherever something changed. */

import { el, fill } from "./dom.js";
import { count, counted, percent } from "./format.js";
import { HEIGHT, axes, colour, fresh, line } from "./plot.js";
import { clean } from "./text.js";

const MARKS_IN_WORDS = 6;
const WINDOW = 100;

/** Two curves that share the visits: pages found, and their share now. */
export class Curve {
  constructor(place) {
    this.found = el("div", { class: "plot" });
    this.share = el("div", { class: "plot" });
    this.marks = el("ol", { class: "marks" });
    this.note = el("p", { class: "hint" });
    fill(place,
      el("div", { class: "plots" },
        el("figure", {}, el("figcaption", {}, "Relevant pages found, over visits"), this.found),
        el("figure", {}, el("figcaption", {}, `Share of relevant pages among the last ${WINDOW} visits`), this.share)),
      this.note, this.marks);
    // Another width or other colours: drawn again.
    new ResizeObserver(() => this.draw()).observe(place);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw(true));
  }

  show(curve) {
    this.data = { ...columns(curve.points), forecast: curve.forecast, marks: curve.marks };
    this.draw();
    fill(this.note, summary(this.data));
    fill(this.marks, curve.marks.slice(-MARKS_IN_WORDS).map(markInWords));
  }

  draw(isNew = false) {
    if (!this.data || !this.found.clientWidth) return;
    this.foundPlot = this.plot(this.foundPlot, this.found, foundData(this.data), foundSeries(), count, isNew);
    this.sharePlot = this.plot(this.sharePlot, this.share, [this.data.visits, this.data.rate], [line("share")], percent, isNew);
  }

  plot(plot, place, data, series, format, isNew) {
    const size = { width: place.clientWidth, height: HEIGHT };
    if (plot && !isNew) {
      if (plot.width !== size.width) plot.setSize(size);
      plot.setData(data);
      return plot;
    }
    plot?.destroy();
    place.setAttribute("role", "img");
    place.setAttribute("aria-label", place === this.found ? "Curve of the relevant pages found" : "Curve of the share of relevant pages");
    const bands = series.length > 1 ? [{ series: [3, 2], fill: colour("--band") }] : [];
    const hooks = { draw: [(drawn) => drawMarks(drawn, this.data.marks)] };
    return fresh(place, { series: [{ label: "visits" }, ...series], axes: axes(format), bands, hooks }, data, format === percent ? 0.1 : 5);
  }
}

function foundData({ visits, found, forecast }) {
  const none = visits.map(() => null);
  if (!forecast || !visits.length) return [visits, found, none, none];
  const here = found[found.length - 1];
  const start = [...none.slice(1), here];
  return [
    [...visits, visits[visits.length - 1] + forecast.visits],
    [...found, null],
    [...start, here + forecast.low],
    [...start, here + forecast.high],
  ];
}

function foundSeries() {
  const edge = { stroke: colour("--band-edge"), width: 1, points: { show: false }, spanGaps: true };
  return [{ ...line("found"), fill: colour("--fill") }, { label: "at least", ...edge }, { label: "at most", ...edge }];
}

function drawMarks(plot, marks) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour("--mark-line");
  ctx.setLineDash([4, 4]);
  for (const { visits } of marks) {
    const x = Math.round(plot.valToPos(visits, "x", true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

function summary({ visits, found, forecast }) {
  if (visits.length < 2) return "The curve begins with the first visits.";
  const so = `${counted(found[found.length - 1], "relevant page")} in ${counted(visits[visits.length - 1], "visit")}.`;
  if (!forecast) return `${so} A forecast needs some more visits.`;
  const { low, high } = forecast;
  const range = Math.round(low) === Math.round(high) ? count(low) : `${count(low)} to ${count(high)}`;
  return `${so} The next ${count(forecast.visits)} visits are expected to bring ${range} more (the shaded band).`;
}

function markInWords({ visits, kind, text }) {
  return el("li", { "data-kind": kind }, el("span", { class: "at" }, `visit ${count(visits)}`), clean(text, 160));
}

/** The points of the curve as columns, and the share of relevant pages in a window that ends at each. */
export function columns(points) {
  const visits = points.map(([visit]) => visit);
  const found = points.map(([, pages]) => pages);
  // The share among the first few visits is noise.
  const first = Math.min(WINDOW / 5, (visits.at(-1) ?? 0) / 2);
  const rate = visits.map((visit, index) => (visit < Math.max(1, first) ? null : share(visits, found, index)));
  return { visits, found, rate };
}

function share(visits, found, index) {
  const start = Math.max(0, visits[index] - WINDOW);
  return (found[index] - foundAt(visits, found, start)) / (visits[index] - start);
}

/** Between two points that are kept, the curve is taken for a line. */
function foundAt(visits, found, visit) {
  const after = visits.findIndex((other) => other >= visit);
  if (visits[after] === visit || after === 0) return found[after];
  const part = (visit - visits[after - 1]) / (visits[after] - visits[after - 1]);
  return found[after - 1] + part * (found[after] - found[after - 1]);
}
