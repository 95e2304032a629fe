"""Candidates: best score first among the hosts that are ready."""

from clew.frontier.crawl_graph import CrawlGraph
from clew.frontier.frontier import Frontier

__all__ = ["CrawlGraph", "Frontier"]
