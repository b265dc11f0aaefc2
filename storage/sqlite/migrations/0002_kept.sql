-- What is kept beside the rows of a kind, so that a list need not count them.
-- The rows themselves keep it up to date: Prepare gives each kind its triggers
-- and counts what is there already.

-- JSON of the Kept that the kind's triggers keep; empty: none yet.
ALTER TABLE kinds ADD COLUMN kept TEXT NOT NULL DEFAULT '';

-- How many of the numbers up to last are of no record any more.
ALTER TABLE seqs ADD COLUMN holes INTEGER NOT NULL DEFAULT 0;

-- The same for each chunk of 2^bits numbers: chunk 0 begins with the number 1.
-- A chunk without holes has no row.
CREATE TABLE holes (
  kind    INTEGER NOT NULL,
  account INTEGER NOT NULL,
  bits    INTEGER NOT NULL,
  chunk   INTEGER NOT NULL,
  n       INTEGER NOT NULL,
  PRIMARY KEY (kind, account, bits, chunk)
) STRICT, WITHOUT ROWID;

-- How many records have a value in a counted column; x'' stands for none.
CREATE TABLE totals (
  kind    INTEGER NOT NULL,
  account INTEGER NOT NULL,
  name    TEXT    NOT NULL,
  value   ANY     NOT NULL,
  n       INTEGER NOT NULL,
  PRIMARY KEY (kind, account, name, value)
) STRICT, WITHOUT ROWID;

-- The number of the last commit that changed records, whichever process made
-- it: what a process has in memory is told by it from what came later.
INSERT INTO meta (name, value) VALUES ('commit', 0);
