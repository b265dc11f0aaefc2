-- The latest revision of the kind for which Prepare has made its columns; empty: of
-- a program that did not record it.
ALTER TABLE kinds ADD COLUMN revision TEXT NOT NULL DEFAULT '';

-- The oldest schema whose programs can use the file. A step that changes nothing for
-- the programs before it says so in its first line: "-- oldest: N".
INSERT INTO meta (name, value) VALUES ('oldest_schema', 5);
