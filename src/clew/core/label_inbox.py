"""What users say of pages, brought to the course at the right moment: after a visit, never beside a flight."""

from __future__ import annotations

from clew.core.state import CrawlState
from clew.store import Label, Store


class LabelInbox:
    """Looks for labels at every commit; those of pages that were not visited yet wait for the visit."""

    def __init__(self, state: CrawlState, store: Store) -> None:
        self.state, self.store = state, store
        self.fresh = False  # whether something was taken in since the last commit
        self._said: dict[str, list[Label]] = {}  # by page: what is not taken in yet
        self._polled = False

    def poll(self) -> None:
        """Everything is committed: look for more."""
        self._said, self._polled, self.fresh = {}, True, False
        for label in self.store.labels():
            self._said.setdefault(label.url, []).append(label)

    def after(self, url: str) -> None:
        """After a visit: take in what was said of this page, and of earlier ones since the last commit."""
        self._take([*self._said] if self._polled else [url])
        self._polled = False

    def now(self) -> None:
        """Look, and take in what can be; only while nothing is in flight."""
        self.poll()
        self.after("")

    def _take(self, urls: list[str]) -> None:
        for url in urls:
            while (labels := self._said.get(url)) and self.state.apply_label(url, labels[0].relevant):
                label = labels.pop(0)
                self.store.mark_applied(label, self.state.order)
                self.store.note("label", f"{'yes' if label.relevant else 'no'}: {url}")
                self.fresh = True
        if self.state.pending_labels:
            self.state.rescore_labelled()
