-- oldest: 1
-- The processes that do the background work of the database; see store.Node.
CREATE TABLE nodes (
  id        uuid        PRIMARY KEY,
  version   text        NOT NULL,
  schema    integer     NOT NULL,
  revisions text        NOT NULL, -- JSON, by the name of the kind
  started   timestamptz NOT NULL,
  beat      timestamptz NOT NULL,
  until     timestamptz NOT NULL -- the end of its lease
) WITH (fillfactor = 70);

-- The version of the program that has applied the step; NULL if it is not known.
ALTER TABLE landfall_migrations ADD COLUMN program text;
