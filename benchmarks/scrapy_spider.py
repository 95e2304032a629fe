"""Crawls the same pages with Scrapy in the usual way: CrawlSpider, LinkExtractor and a JSONL feed."""

from __future__ import annotations

import resource
import sys
import time

from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Pages(CrawlSpider):
    name = "pages"
    rules = (Rule(LinkExtractor(), callback="parse_page", follow=True),)

    def parse_page(self, response):
        yield {
            "url": response.url,
            "title": response.css("title::text").get(),
            "text": " ".join(response.css("body ::text").getall()),
        }


def main(proxy: str, pages: int, feed: str, seeds: list[str]) -> None:
    process = CrawlerProcess(
        {
            "CLOSESPIDER_ITEMCOUNT": pages,
            "CONCURRENT_REQUESTS": 16,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": True,
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
            "FEEDS": {feed: {"format": "jsonlines"}},
        }
    )
    crawler = process.create_crawler(Pages)
    began = time.process_time()
    wall = time.perf_counter()
    process.crawl(crawler, start_urls=seeds)
    process.start()
    cpu = time.process_time() - began
    fetched = crawler.stats.get_value("item_scraped_count", 0)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(fetched, cpu, time.perf_counter() - wall, peak)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:])
