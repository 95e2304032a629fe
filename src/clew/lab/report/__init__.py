"""Reports of comparisons: one self-contained HTML page, and every plot as a PNG file beside it."""

from clew.lab.report.html_page import write

__all__ = ["write"]
