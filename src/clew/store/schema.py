"""The tables of crawl.db."""

VERSION = 1

LABELS = """
-- Labels of users, in order, each with the interest of its time; the latest label of a page counts. `taken` is the
-- number of visits before the crawl applied the label, NULL while it is pending; `user` is NULL where nobody is named.
-- Folders of earlier versions get this table, or its last column, when they are opened for writing.
CREATE TABLE IF NOT EXISTS labels (
  id INTEGER PRIMARY KEY, url TEXT, relevant INTEGER, at REAL, taken INTEGER, interest TEXT, user TEXT)
"""

ORDERS = """
-- What users told the crawl, in order; `words` is a JSON list. `taken` is the number of visits before the crawl took
-- the order, NULL while it waits; `refused` says why it was not taken. Folders of earlier versions get this table when
-- they are opened for writing.
CREATE TABLE IF NOT EXISTS orders (
  id INTEGER PRIMARY KEY, kind TEXT, words TEXT, at REAL, taken INTEGER, refused TEXT NOT NULL DEFAULT '',
  effect TEXT NOT NULL DEFAULT '')
"""

REVISITS = """
-- Later visits of pages, kept apart from the crawl, which is replayed without them. `changed` is NULL if the answer
-- leaves it open. `whole`: the record at file, offset and length in the folder again/ is a new version of the page.
-- `hinted`: a sitemap announced a change. A folder gets this table with its first recrawl.
CREATE TABLE IF NOT EXISTS revisits (
  id INTEGER PRIMARY KEY, key INTEGER, url TEXT, at REAL, status INTEGER, changed INTEGER, reason TEXT, relevance REAL,
  links INTEGER, hinted INTEGER, whole INTEGER, file TEXT, offset INTEGER, length INTEGER);
CREATE INDEX IF NOT EXISTS revisits_by_key ON revisits (key);
"""

HOST_STATE = """
-- What hosts ask for beyond the usual delay; written at once, so that the run after a kill is as polite as this one.
CREATE TABLE IF NOT EXISTS manners (
  host TEXT PRIMARY KEY, until REAL, wish REAL, backoff REAL, failures INTEGER, trouble TEXT, usual REAL) WITHOUT ROWID
"""

OTHER_ANSWERS = """
-- Answers in the archive that belong to no visit: robots.txt, and the scripts and data of rendered pages. Folders of
-- earlier versions get this table when they are opened for writing.
CREATE TABLE IF NOT EXISTS other_answers (
  url TEXT, at REAL, status INTEGER, file TEXT, offset INTEGER, length INTEGER)
"""

TEXTS = """
-- The main text of pages, and the index over it, which triggers keep in step. `visit` is the order of the visit. Behind
-- each character of scripts without spaces stands U+200B, so that the index takes it for a word. Folders of earlier
-- versions get these tables when they are opened for writing, and the texts when they are searched.
CREATE TABLE IF NOT EXISTS texts (visit INTEGER PRIMARY KEY, title TEXT NOT NULL, text TEXT NOT NULL);
CREATE VIRTUAL TABLE IF NOT EXISTS text_index USING fts5(
  title, text, content='texts', content_rowid='visit', tokenize='porter unicode61 remove_diacritics 2');
CREATE TRIGGER IF NOT EXISTS text_added AFTER INSERT ON texts BEGIN
  INSERT INTO text_index (rowid, title, text) VALUES (new.visit, new.title, new.text);
END;
CREATE TRIGGER IF NOT EXISTS text_removed AFTER DELETE ON texts BEGIN
  INSERT INTO text_index (text_index, rowid, title, text) VALUES ('delete', old.visit, old.title, old.text);
END;
CREATE TRIGGER IF NOT EXISTS text_replaced AFTER UPDATE ON texts BEGIN
  INSERT INTO text_index (text_index, rowid, title, text) VALUES ('delete', old.visit, old.title, old.text);
  INSERT INTO text_index (rowid, title, text) VALUES (new.visit, new.title, new.text);
END;
"""

REASONS = """
-- Why each visit was made, and what its page says of the topics; `visit` is its order. `parts` and `topics` are JSON;
-- `parts` is NULL where only the topics are known. Folders of earlier versions get this table when they are opened for
-- writing.
CREATE TABLE IF NOT EXISTS reasons (
  visit INTEGER PRIMARY KEY, parts TEXT, source TEXT NOT NULL, anchor TEXT NOT NULL, focus TEXT NOT NULL, topics TEXT)
"""

WAITING_HOSTS = """
-- What waits on each host, as of a recent commit. Folders of earlier versions get this table when they are opened for
-- writing.
CREATE TABLE IF NOT EXISTS waiting_hosts (
  host TEXT PRIMARY KEY, waiting INTEGER, best REAL, ready_at REAL) WITHOUT ROWID
"""

EARLIER_JUDGEMENTS = """
-- The judgements, as of the last checkpoint, of the pages that were judged again since; "order" is that of the visit. A
-- replay begins with them. Folders of earlier versions get this table when they are opened for writing.
CREATE TABLE IF NOT EXISTS earlier_judgements (
  "order" INTEGER PRIMARY KEY, relevance REAL, relevant INTEGER, topics TEXT)
"""

SCHEMA = f"""
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;

-- Every visit in order, redirects included. `key` is a 63-bit hash of the URL; it is unique, so that no page can be
-- committed twice. Text and links are in the archive, at file, offset and length.
CREATE TABLE pages (
  "order" INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, slot INTEGER, url TEXT, host TEXT, depth INTEGER,
  state TEXT, reason TEXT, status INTEGER, relevance REAL, relevant INTEGER, topics TEXT, title TEXT,
  language TEXT, words INTEGER, score REAL, bytes INTEGER, seconds REAL, at REAL, location TEXT,
  file TEXT, offset INTEGER, length INTEGER);

-- The texts of every URL that was seen, for the frontier. Slots are numbered in the order of discovery.
CREATE TABLE candidates (slot INTEGER PRIMARY KEY, url TEXT, reason TEXT, links TEXT);

-- The example documents of the interest: a resumed crawl judges by the same ones.
CREATE TABLE examples (place TEXT PRIMARY KEY, docs TEXT) WITHOUT ROWID;

CREATE TABLE checkpoints (part TEXT PRIMARY KEY, data BLOB);
CREATE TABLE journal (at REAL, event TEXT, detail TEXT);
{LABELS};
{ORDERS};
{HOST_STATE};
{OTHER_ANSWERS};
{REASONS};
{WAITING_HOSTS};
{EARLIER_JUDGEMENTS};

CREATE VIEW hosts AS
  SELECT host, count(*) AS visited, sum(relevant) AS relevant, sum(state = 'failed') AS failed,
         sum(bytes) AS bytes, avg(seconds) AS seconds
  FROM pages WHERE state IN ('fetched', 'failed', 'duplicate') GROUP BY host;
"""
