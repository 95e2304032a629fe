/** Which page is shown: `#/` all crawls, `#/new` a new one, `#/crawl/ID` one of them. */

import { CrawlPage } from "./crawl_page.js";
import { CrawlsPage } from "./crawls_page.js";
import { fill, find } from "./dom.js";
import { shortcuts } from "./keys.js";
import { newCrawl } from "./new_crawl.js";
import { attempt } from "./notices.js";
import { server } from "./server.js";

let current = null;

function show() {
  current?.close?.();
  const place = find("main");
  const [, name, id] = location.hash.split("/");
  fill(place);
  if (name === "new") current = newCrawl(place, server);
  else if (name === "crawl" && id) current = new CrawlPage(place, server.crawl(decodeURIComponent(id)));
  else current = new CrawlsPage(place, server);
}

/** A single crawl needs no list. */
async function begin() {
  if (!location.hash) {
    const answer = await attempt(server.crawls());
    if (answer?.items.length === 1) history.replaceState(null, "", `#/crawl/${encodeURIComponent(answer.items[0].id)}`);
  }
  show();
}

shortcuts({ "/": () => find("#search")?.focus(), p: () => current?.headline?.toggle() });
window.addEventListener("hashchange", show);
begin();
