-- The tables that every file has. The tables of the kinds of records (r_<kind>)
-- are made by Prepare from the columns that each kind declares.

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What the groups of jobs are served by: see groups.served.
INSERT INTO meta (name, value) VALUES ('served', 0);

-- Accounts have a small number here, so that a row's key can carry it.
CREATE TABLE accounts (
  no INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE
) STRICT;

CREATE TABLE kinds (
  no      INTEGER PRIMARY KEY,
  name    TEXT NOT NULL UNIQUE,
  columns TEXT NOT NULL -- JSON, as of when every row had all of them
) STRICT;

-- The last number given to a record of a kind in an account, kept only once a
-- record with that number was deleted: until then the table itself tells.
CREATE TABLE seqs (
  kind    INTEGER NOT NULL,
  account INTEGER NOT NULL,
  last    INTEGER NOT NULL,
  PRIMARY KEY (kind, account)
) STRICT, WITHOUT ROWID;

-- The many-valued things records are found by. The record's ID stands in it so
-- that links are answered from here alone. What terms a record has stands in
-- its own row.
CREATE TABLE terms (
  kind    INTEGER NOT NULL,
  account INTEGER NOT NULL,
  name    TEXT    NOT NULL,
  value   TEXT    NOT NULL,
  rid     INTEGER NOT NULL,
  id      BLOB    NOT NULL,
  PRIMARY KEY (kind, account, name, value, rid)
) STRICT, WITHOUT ROWID;

-- What the jobs of one kind share fairly. Rows stay, so that a group keeps its
-- turn when it has no jobs for a while.
CREATE TABLE groups (
  no     INTEGER PRIMARY KEY, -- order of first mention
  kind   TEXT    NOT NULL,
  name   TEXT    NOT NULL,
  served INTEGER NOT NULL DEFAULT 0, -- the running number of its last serving
  held   INTEGER,                    -- microseconds; NULL: never held
  UNIQUE (kind, name)
) STRICT;

CREATE TABLE jobs (
  no      INTEGER PRIMARY KEY, -- order of enqueueing
  account INTEGER NOT NULL REFERENCES accounts (no),
  id      BLOB    NOT NULL,
  grp     INTEGER NOT NULL REFERENCES groups (no),
  ref     BLOB    NOT NULL,
  data    BLOB,
  due     INTEGER NOT NULL, -- microseconds
  attempt INTEGER NOT NULL DEFAULT 0,
  token   BLOB,    -- NULL: never claimed
  until   INTEGER, -- microseconds; the end of the lease of token
  UNIQUE (account, id)
) STRICT;

CREATE INDEX jobs_due ON jobs (grp, due, no);
CREATE INDEX jobs_leased ON jobs (until) WHERE until IS NOT NULL;
