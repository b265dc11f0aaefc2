-- oldest: 5
-- The processes that do the background work of the file; see store.Node. Times are
-- microseconds.
CREATE TABLE nodes (
  id        BLOB    PRIMARY KEY,
  version   TEXT    NOT NULL,
  schema    INTEGER NOT NULL,
  revisions TEXT    NOT NULL, -- JSON, by the name of the kind
  started   INTEGER NOT NULL,
  beat      INTEGER NOT NULL,
  until     INTEGER NOT NULL  -- the end of its lease
) STRICT, WITHOUT ROWID;
