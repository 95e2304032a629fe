/** What an answer has changed: the best pages before it, and after the crawl has learned from it. */

const LOOKED_AT = 200;
const MOVED = 0.05;

/** Remembers the pages when an answer is given, and counts those that moved when it is taken. */
export class Effect {
  constructor(crawl) {
    Object.assign(this, { crawl, before: null });
  }

  /** An answer is about to be given. */
  async begin() {
    if (!this.before) this.before = await this.look();
  }

  /** The crawl has taken the answers; null if there were none. */
  async end() {
    const before = this.before;
    if (!before) return null;
    this.before = null;
    const after = await this.look();
    const both = [...after].filter(([url]) => before.has(url)).map(([url, page]) => [before.get(url), page]);
    return {
      moved: both.filter(([old, now]) => old.relevant !== now.relevant || Math.abs(old.relevance - now.relevance) >= MOVED).length,
      sides: both.filter(([old, now]) => old.relevant !== now.relevant).length,
    };
  }

  async look() {
    const { items } = await this.crawl.pages({ sort: "best", limit: LOOKED_AT });
    return new Map(items.map((page) => [page.url, page]));
  }
}
