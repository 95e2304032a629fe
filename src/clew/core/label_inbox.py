"""What users say of pages, brought to the crawl at the right moment: after a visit, never during one."""

from __future__ import annotations

from clew.core.labelling import Labelling
from clew.core.state import CrawlState
from clew.core.steering import Wish
from clew.store import Label, Store


class LabelInbox:
    """Looks for labels at every commit; labels of pages that were not visited yet wait for the visit."""

    def __init__(self, state: CrawlState, store: Store) -> None:
        self.state = state
        self.labelling = Labelling(state)
        self.store = store
        self.fresh = False  # whether a label was applied since the last commit
        self._waiting: dict[str, list[Label]] = {}  # by page: what is not applied yet
        self._polled = False

    def poll(self) -> None:
        """Everything is committed: look for more."""
        self._waiting = {}
        self._polled = True
        self.fresh = False
        for label in self.store.labels():
            self._waiting.setdefault(label.url, []).append(label)

    def after(self, url: str) -> None:
        """After a visit: apply the labels of this page, and those of earlier pages that came with the last commit."""
        self._apply([*self._waiting] if self._polled else [url])
        self._polled = False

    def now(self) -> None:
        """Look, and apply what can be; only while nothing is in flight."""
        self.poll()
        self.after("")

    def _apply(self, urls: list[str]) -> None:
        for url in urls:
            labels = self._waiting.get(url, [])
            while labels and self.labelling.apply(url, labels[0].relevant, labels[0].user):
                label = labels.pop(0)
                self.store.mark_applied(label, self.state.order)
                by = f" by {label.user}" if label.user else ""
                self.store.note("label", f"{'yes' if label.relevant else 'no'}{by}: {url}")
                self.fresh = True
            if labels and self.state.steer(url, Wish(labels[-1].id, labels[-1].relevant)):
                self._note_steering(url, labels)
        self.labelling.teach()

    def _note_steering(self, url: str, labels: list[Label]) -> None:
        """A page that waits was labelled: a no is done with that, a yes waits for the visit."""
        self.fresh = True
        if labels[-1].relevant:
            self.store.note("label", f"yes: {url} is visited next")
            return
        self.store.note("label", f"no: {url} is dropped")
        for label in labels:
            self.store.mark_applied(label, self.state.order)
        labels.clear()
