"""What is kept: crawl.db and the archive, or memory."""

from clew.store.labels import Label, latest, say
from clew.store.memory import MemoryStore
from clew.store.record import CrawlFolder, Durable, Record, Store, page_of
from clew.store.records import Records, Step
from clew.store.revisits import Revisit, Revisits
from clew.store.sinks import CrawlInfo, Sink
from clew.store.sqlite import SqliteStore, open_folder

__all__ = [
    "CrawlFolder",
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
    "open_folder",
    "page_of",
    "say",
]
