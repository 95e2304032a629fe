"""Storage for a crawl: a crawl folder with a database and a WARC archive, or memory."""

from clew.store.focus_changes import FocusChange
from clew.store.head import HEAD_SIZE, HostNow, Waiting
from clew.store.labels import Label, latest, write_labels
from clew.store.memory import MemoryStore
from clew.store.orders import Order, write_orders
from clew.store.reasons import Reason, TopicReason
from clew.store.record import CrawlFolder, Durable, KeepsReasons, KeepsTexts, ReadsAgain, Record, Store, page_of
from clew.store.records import PathStep, Records
from clew.store.revisits import Revisit, Revisits
from clew.store.search import Hit
from clew.store.sinks import CrawlInfo, Sink
from clew.store.sqlite import SqliteStore, open_folder
from clew.store.text_making import make_texts

__all__ = [
    "HEAD_SIZE",
    "CrawlFolder",
    "CrawlInfo",
    "Durable",
    "FocusChange",
    "Hit",
    "HostNow",
    "KeepsReasons",
    "KeepsTexts",
    "Label",
    "MemoryStore",
    "Order",
    "PathStep",
    "ReadsAgain",
    "Reason",
    "Record",
    "Records",
    "Revisit",
    "Revisits",
    "Sink",
    "SqliteStore",
    "Store",
    "TopicReason",
    "Waiting",
    "latest",
    "make_texts",
    "open_folder",
    "page_of",
    "write_labels",
    "write_orders",
]
