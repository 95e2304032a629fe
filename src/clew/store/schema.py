"""The tables of crawl.db."""

VERSION = 1

LABELS = """
-- What users say of pages under the interest of the time, in the order in which they say it; the last word on a page
-- counts. `taken` is the number of visits before the crawl took it in, NULL while it waits. Folders of earlier versions
-- get this table when they are written to.
CREATE TABLE IF NOT EXISTS labels (
  id INTEGER PRIMARY KEY, url TEXT, relevant INTEGER, at REAL, taken INTEGER, interest TEXT)
"""

REVISITS = """
-- Later visits of pages, apart from the crawl itself, which is replayed without them. `changed` is NULL where the
-- answer does not tell. `whole`: the record at file, offset and length in the folder again/ is a new version of the
-- page. `hinted`: a sitemap had told of a change. Folders get this table with their first recrawl.
CREATE TABLE IF NOT EXISTS revisits (
  id INTEGER PRIMARY KEY, key INTEGER, url TEXT, at REAL, status INTEGER, changed INTEGER, reason TEXT, relevance REAL,
  links INTEGER, hinted INTEGER, whole INTEGER, file TEXT, offset INTEGER, length INTEGER);
CREATE INDEX IF NOT EXISTS revisits_by_key ON revisits (key);
"""

HOST_STATE = """
-- What hosts ask of us beyond the usual delay, written at once: a run after a kill is as polite as this one.
CREATE TABLE IF NOT EXISTS manners (
  host TEXT PRIMARY KEY, until REAL, wish REAL, backoff REAL, failures INTEGER, trouble TEXT, usual REAL) WITHOUT ROWID
"""

SCHEMA = f"""
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;

-- Every visit in its order, redirect hops included. `key` is the URL's 63-bit name: unique, so no page can be
-- committed twice. Text and links are in the archive, at file, offset and length.
CREATE TABLE pages (
  "order" INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, slot INTEGER, url TEXT, host TEXT, depth INTEGER,
  state TEXT, reason TEXT, status INTEGER, relevance REAL, relevant INTEGER, topics TEXT, title TEXT,
  language TEXT, words INTEGER, score REAL, bytes INTEGER, seconds REAL, at REAL, location TEXT,
  file TEXT, offset INTEGER, length INTEGER);

-- The texts of every URL that was seen: the shelf of the frontier. A slot is the order of discovery.
CREATE TABLE candidates (slot INTEGER PRIMARY KEY, url TEXT, reason TEXT, links TEXT);

-- What the interest was made from: a resumed crawl judges by the same examples.
CREATE TABLE examples (place TEXT PRIMARY KEY, docs TEXT) WITHOUT ROWID;

CREATE TABLE checkpoints (part TEXT PRIMARY KEY, data BLOB);
CREATE TABLE journal (at REAL, event TEXT, detail TEXT);
{LABELS};
{HOST_STATE};

CREATE VIEW hosts AS
  SELECT host, count(*) AS visited, sum(relevant) AS relevant, sum(state = 'failed') AS failed,
         sum(bytes) AS bytes, avg(seconds) AS seconds
  FROM pages WHERE state IN ('fetched', 'failed', 'duplicate') GROUP BY host;
"""
