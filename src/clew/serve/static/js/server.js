/** The crawls as the service of `clew serve` shows them; a report has its own source (embedded.js). */

const API = "api/crawls";

/** What went wrong, in words for the user. */
export class Trouble extends Error {}

/** One crawl. */
export class ServedCrawl {
  constructor(id) {
    this.id = id;
    this.place = `${API}/${encodeURIComponent(id)}`;
    this.canSteer = true;
  }

  overview() { return get(this.place); }
  curve() { return get(`${this.place}/curve`); }
  pages(options = {}) { return get(`${this.place}/pages`, options); }
  hosts(options = {}) { return get(`${this.place}/hosts`, options); }
  next(options = {}) { return get(`${this.place}/next`, options); }
  unsure() { return get(`${this.place}/unsure`); }
  search(query, options = {}) { return get(`${this.place}/search`, { q: query, ...options }); }
  explain(url) { return get(`${this.place}/explain`, { url }); }
  text(url) { return get(`${this.place}/text`, { url }); }
  orders() { return get(`${this.place}/orders`); }
  tell(kind, ...words) { return post(`${this.place}/orders`, { kind, words }); }
  label(url, relevant) { return post(`${this.place}/labels`, { labels: [{ url, relevant }] }); }
  resume(limits = {}) { return post(`${this.place}/resume`, { limits }); }
  tryInterest(interest) { return post(`${this.place}/dry-run`, { interest }); }

  /** Call back with each event; returns a function that ends it. */
  watch(onEvent, onTrouble) {
    const stream = new EventSource(`${this.place}/events`);
    stream.addEventListener("summary", (event) => onEvent(JSON.parse(event.data)));
    stream.addEventListener("open", () => onTrouble(""));
    stream.addEventListener("error", () => onTrouble("No connection to clew serve; trying again."));
    return () => stream.close();
  }
}

/** All crawls below the folders that are served. */
export const server = {
  crawls: () => get(API),
  crawl: (id) => new ServedCrawl(id),
  start: (settings) => post(API, settings),
  settings: () => get("api/settings"),
  check: (interest) => get("api/check", { interest }),
};

async function get(path, query = {}) {
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined && value !== ""));
  return asked(parameters.size ? `${path}?${parameters}` : path, {});
}

async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return asked(path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function asked(address, options) {
  let answer;
  try {
    answer = await fetch(address, options);
  } catch {
    throw new Trouble("clew serve does not answer. Is it still running? Start it again and reload this page.");
  }
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Trouble(reason(answer.status, body));
  return body;
}

function reason(status, body) {
  if (status === 401) return "This page needs its token: open the address that clew serve has printed.";
  return body.detail || body.title || `The service answered with ${status}.`;
}
