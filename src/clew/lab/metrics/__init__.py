"""Measures of a crawl: pure functions of the labels of its pages, in the order of the visits.

A label is 1 for a relevant page, 0 for an irrelevant one and -1 for an unlabelled one. Unlabelled pages count neither
way: they are left out of the sequence before anything is counted.
"""

from clew.lab.metrics.collection import average_precision, collection
from clew.lab.metrics.harvest import (
    aulc,
    average_harvest_rate,
    average_relevance,
    found,
    harvest,
    judged,
    moving_harvest,
    precision,
    windowed_harvest,
)
from clew.lab.metrics.paired import (
    bootstrap,
    found_by_both,
    lift,
    oracle_area,
    oracle_share,
    overlap,
    regret,
    relative_cpu,
)
from clew.lab.metrics.paths import Places, gaps, path_distances, sources
from clew.lab.metrics.recall import aurc, hosts_found, link_distances, pages_to, recall, target_recall
from clew.lab.metrics.recovery import drift_tolerance, refocus_delay, reuse_gain

__all__ = [
    "Places",
    "aulc",
    "aurc",
    "average_harvest_rate",
    "average_precision",
    "average_relevance",
    "bootstrap",
    "collection",
    "drift_tolerance",
    "found",
    "found_by_both",
    "gaps",
    "harvest",
    "hosts_found",
    "judged",
    "lift",
    "link_distances",
    "moving_harvest",
    "oracle_area",
    "oracle_share",
    "overlap",
    "pages_to",
    "path_distances",
    "precision",
    "recall",
    "refocus_delay",
    "regret",
    "relative_cpu",
    "reuse_gain",
    "sources",
    "target_recall",
    "windowed_harvest",
]
