"""Crawls the same sites with Scrapy in the usual way: CrawlSpider, LinkExtractor and a JSONL feed.

http_proxy=http://127.0.0.1:PORT python benchmarks/scrapy_spider.py PAGES FEED JOBDIR SEED...

With a JOBDIR other than "-", requests are kept on disk there, so that the crawl could go on after a clean stop.
"""

from __future__ import annotations

import sys

from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Pages(CrawlSpider):
    name = "pages"
    # Nothing may leave the machine.
    rules = (Rule(LinkExtractor(allow_domains=["test"]), callback="parse_page", follow=True),)

    def parse_page(self, response):
        # Some links lead to files that are no text.
        if not hasattr(response, "css"):
            return
        yield {
            "url": response.url,
            "title": response.css("title::text").get(),
            "text": " ".join(response.css("body ::text").getall()),
        }


def main(pages: str, feed: str, job: str, *seeds: str) -> None:
    process = CrawlerProcess(
        {
            "CLOSESPIDER_ITEMCOUNT": int(pages),
            "CONCURRENT_REQUESTS": 16,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": True,
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
            "FEEDS": {feed: {"format": "jsonlines"}},
        }
        | ({} if job == "-" else {"JOBDIR": job})
    )
    process.crawl(Pages, start_urls=list(seeds))
    process.start()


if __name__ == "__main__":
    main(*sys.argv[1:])
