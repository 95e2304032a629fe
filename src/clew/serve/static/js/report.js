/** The report of a crawl: the page of the crawl without a service behind it. */

import { CrawlPage } from "./crawl_page.js";
import { el, find } from "./dom.js";
import { EmbeddedCrawl } from "./embedded.js";

const data = JSON.parse(find("#data").textContent);
new CrawlPage(find("main"), new EmbeddedCrawl(data));
find("main").append(el("p", { class: "hint" }, `Written ${new Date(1000 * data.written).toLocaleString()} by clew ${data.version}. `
  + `It shows at most ${data.most} pages; clew serve and clew export have them all.`));
