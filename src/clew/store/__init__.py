"""What is kept: crawl.db and the archive, or memory."""

from clew.store.labels import Label, latest, say
from clew.store.memory import MemoryStore
from clew.store.record import Durable, Record, Store, page_of
from clew.store.records import Records, Step
from clew.store.revisits import Revisit, Revisits
from clew.store.sinks import CrawlInfo, Sink
from clew.store.sqlite import SqliteStore

__all__ = [
    "CrawlInfo",
    "Durable",
    "Label",
    "MemoryStore",
    "Record",
    "Records",
    "Revisit",
    "Revisits",
    "Sink",
    "SqliteStore",
    "Step",
    "Store",
    "latest",
    "page_of",
    "say",
]
