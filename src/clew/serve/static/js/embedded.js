/** The crawl of a report: what it was when the report was written, inside the file itself. */

/** Answers from the data in the report; nothing can be told to it. */
export class EmbeddedCrawl {
  constructor(data) {
    this.data = data;
    this.canSteer = false;
  }

  async overview() { return this.data.overview; }
  async curve() { return this.data.curve; }
  async hosts({ limit } = {}) { return { items: this.data.hosts.slice(0, limit) }; }
  async next() { return { items: this.data.next }; }
  async orders() { return { items: this.data.orders }; }
  async unsure() { return { items: [] }; }

  async pages({ sort, relevant, limit }) {
    const pages = this.data.pages.filter((page) => !relevant || page.relevant);
    const order = sort === "newest" ? (a, b) => b.order - a.order : (a, b) => b.relevance - a.relevance || a.order - b.order;
    return { items: pages.sort(order).slice(0, limit) };
  }

  /** Pages whose title, address or preview has all the words. */
  async search(query, { relevant, limit }) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (page) => words.every((word) => text(page).includes(word));
    return { items: this.data.pages.filter((page) => (!relevant || page.relevant) && fits(page)).slice(0, limit) };
  }

  async explain(url) {
    const found = this.data.explanations[url];
    if (!found) throw new Error("This report does not say more about that address. On the machine of the crawl: clew explain");
    return found;
  }

  watch() { return () => {}; }
}

function text(page) {
  return [page.title, page.url, ...(page.preview ?? []).map(([part]) => part)].join(" ").toLowerCase();
}
