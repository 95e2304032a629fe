"""Candidates: best score first among the hosts that are ready."""

from clew.frontier.crawl_graph import CrawlGraph
from clew.frontier.frontier import Frontier, Moved

__all__ = ["CrawlGraph", "Frontier", "Moved"]
