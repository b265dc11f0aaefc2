-- oldest: 4
-- How many records of a kind an account has in each stretch of numbers, by which a page far
-- back is found: see ranks.go. A chunk goes from its first number to that of the next one of
-- its level, and a chunk of level 1 or 2 begins with one of the level below.
CREATE TABLE chunks (
  kind    integer  NOT NULL,
  account bigint   NOT NULL,
  level   smallint NOT NULL,
  first   bigint   NOT NULL,
  n       integer  NOT NULL,
  PRIMARY KEY (kind, account, level, first)
) WITH (fillfactor = 70);

-- Whether chunks are right, which a program of before that runs while this one migrates does not
-- see to. A node fills them again when the last one has ended.
INSERT INTO meta (name, value) SELECT 'ranked', (NOT EXISTS (SELECT 1 FROM nodes WHERE until > clock_timestamp()))::integer;

DO $$
DECLARE
  kind record;
BEGIN
  FOR kind IN SELECT no, name FROM kinds LOOP
    EXECUTE format(
      'INSERT INTO chunks (kind, account, level, first, n)
       SELECT %s, account, level, min(rid), count(*)
       FROM (SELECT account, rid, row_number() OVER (PARTITION BY account ORDER BY rid) - 1 AS rank FROM %I) AS ranked
       CROSS JOIN (VALUES (0, 64), (1, 2048), (2, 65536)) AS levels (level, size)
       GROUP BY account, level, rank / size', kind.no, 'r_' || kind.name);
  END LOOP;
END
$$;
