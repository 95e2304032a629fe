"""One page that shows a comparison: HTML that needs nothing else, and every plot as PNG beside it."""

from clew.lab.report.html_page import write

__all__ = ["write"]
