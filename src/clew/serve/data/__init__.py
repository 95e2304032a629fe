"""What there is to see in a crawl folder, as plain values that JSON knows.

Each function takes an open reader (`Records`) and does a bounded amount of work, also in large crawls. The crawl may be
running, stopped or killed. Text from the web comes without control characters, cut to a sensible length, and never as
markup. `docs/reference/rest.md` describes every value.
"""

from clew.serve.data.crawl_folders import CrawlFolders
from clew.serve.data.curve import curve
from clew.serve.data.explanation import explain
from clew.serve.data.hosts import hosts
from clew.serve.data.next_up import next_up
from clew.serve.data.notes import journal, labels, orders
from clew.serve.data.pages import page, pages
from clew.serve.data.searching import search
from clew.serve.data.summary import brief, summary
from clew.serve.data.texts import text
from clew.serve.data.unsure import unsure

__all__ = [
    "CrawlFolders",
    "brief",
    "curve",
    "explain",
    "hosts",
    "journal",
    "labels",
    "next_up",
    "orders",
    "page",
    "pages",
    "search",
    "summary",
    "text",
    "unsure",
]
