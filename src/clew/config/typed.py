"""The settings as typed keyword arguments. Written by tools/settings_types.py: change settings.py instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from clew.config.settings import Topic


class Settings(TypedDict, total=False):
    """Every setting that `crawl`, `resume` and `simulate` take by name; each is described in `settings.py`."""

    reserve: str | Sequence[str]
    threshold: float | Literal["start-pages"]
    semantics: Literal["possibilistic", "probabilistic"]
    topic_model: str
    judge_seconds: float
    seed: int
    users: str | Sequence[str]
    learned_from: str
    within: Literal["web", "domains", "hosts"]
    allow: str | Sequence[str]
    deny: str | Sequence[str]
    max_depth: int | None
    max_url: int
    url_rules: str | Sequence[str]
    duplicates: Literal["skip", "keep"]
    boilerplate: Literal["drop", "keep"]
    soft_404: bool
    traps: bool
    host_pages: int
    max_host_pages: int | None
    nofollow: Literal["pages", "links", "ignore"]
    noindex: Literal["drop", "keep"]
    sitemaps: int
    feeds: bool
    script_links: bool
    media: bool
    forms: bool
    parallel: int
    parse_processes: int
    delay: float
    delay_factor: float
    max_delay: float
    per_host: int
    per_domain: int
    per_address: int
    patience: float
    timeout: float
    min_rate: float
    max_bytes: int
    max_body: int
    pdf: bool
    max_redirects: int
    retries: int
    host_failures: int
    robots: bool
    user_agent: str
    contact: str
    allow_private: bool
    resolve: str | Sequence[str]
    ports: str | Sequence[str]
    proxy: str
    render: Literal["never", "auto", "always"]
    render_pages: int
    render_seconds: float
    cache: str | Sequence[str]
    cache_days: float | None
    browser: str
    shards: int
    cluster: str
    pages: int | None
    visits: int | None
    minutes: float | None
    megabytes: float | None
    relevant: int | None
    irrelevant: int | None
    drought: int | None
    min_precision: float | None
    min_score: float | None
    min_forecast: float | None
    min_free: float
    at_ceiling: bool
    community: bool
    folder: str
    warc_megabytes: int
    main_text: bool
    capacity: int
    report: bool
    commit_seconds: float
    commit_pages: int
    checkpoint_seconds: float
    topics: Mapping[str, Topic | Mapping[str, Any]]
