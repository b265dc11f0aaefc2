-- Marks: what records are found and sorted by that is not their own. They stand
-- apart from the rows, which are not written for them.

-- The names of the marks of a kind in an account, each with a small number that
-- the marks carry; how many records have marks of it, and how many marks there
-- are: as many where no record has two.
CREATE TABLE mark_names (
  no      INTEGER PRIMARY KEY,
  kind    INTEGER NOT NULL,
  account INTEGER NOT NULL,
  name    TEXT    NOT NULL,
  records INTEGER NOT NULL DEFAULT 0,
  marks   INTEGER NOT NULL DEFAULT 0,
  UNIQUE (kind, account, name)
) STRICT;

CREATE TABLE marks (
  name  INTEGER NOT NULL,
  value TEXT    NOT NULL,
  rid   INTEGER NOT NULL,
  PRIMARY KEY (name, value, rid)
) STRICT, WITHOUT ROWID;

-- What marks a record has, in the order of their values.
CREATE INDEX marks_rid ON marks (rid, name);

-- How many records have a value, for the marks that are counted.
CREATE TABLE mark_totals (
  name  INTEGER NOT NULL,
  value TEXT    NOT NULL,
  n     INTEGER NOT NULL,
  PRIMARY KEY (name, value)
) STRICT, WITHOUT ROWID;
