-- The tables that every database has. Prepare makes the tables of the kinds of records
-- (r_<kind>) from the columns that each kind declares.
--
-- Texts that come from callers are bytea: they are compared byte by byte, and may hold
-- bytes that text cannot.

CREATE TABLE meta (
  name  text COLLATE "C" PRIMARY KEY,
  value bigint NOT NULL
);

-- How often the tables of kinds have been changed. A node reads the table kinds again
-- when it differs from the number that the node knows.
INSERT INTO meta (name, value) VALUES ('prepared', 0);

-- Each update locks the row of its account, so the updates of an account are serial.
CREATE TABLE accounts (
  no     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id     uuid   NOT NULL UNIQUE,
  commit bigint NOT NULL DEFAULT 0 -- the number of updates that have changed records
) WITH (fillfactor = 70);

CREATE TABLE kinds (
  no       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name     text COLLATE "C" NOT NULL UNIQUE,
  columns  text NOT NULL, -- JSON, those that every row has
  kept     text NOT NULL DEFAULT '', -- JSON, the names of the columns that totals has
  revision text COLLATE "C" NOT NULL -- the latest for which Prepare has made columns
);

-- The numbers of records, in blocks of 64. Within an account their order is the order of
-- creation, because an update takes them while it holds the lock of the account.
CREATE SEQUENCE rids INCREMENT BY 64;

-- The many-valued properties by which records are found. The ID of the record is
-- included, so that this index alone answers Find and Links.
CREATE TABLE terms (
  kind    integer NOT NULL,
  account bigint  NOT NULL,
  rid     bigint  NOT NULL,
  name    bytea   NOT NULL,
  value   bytea   NOT NULL,
  id      uuid    NOT NULL,
  PRIMARY KEY (kind, account, name, value, rid) INCLUDE (id)
);

CREATE TABLE marks (
  kind    integer NOT NULL,
  account bigint  NOT NULL,
  rid     bigint  NOT NULL,
  name    bytea   NOT NULL,
  value   bytea   NOT NULL,
  PRIMARY KEY (kind, account, name, value, rid)
);

CREATE INDEX marks_rid ON marks (rid, name, value);

-- How many records of a kind an account has, with an empty name, and how many have each
-- value of a counted column.
CREATE TABLE totals (
  kind    integer NOT NULL,
  account bigint  NOT NULL,
  name    bytea   NOT NULL,
  value   bytea   NOT NULL,
  n       bigint  NOT NULL,
  PRIMARY KEY (kind, account, name, value)
) WITH (fillfactor = 70);

-- The resources that jobs of one kind share. A row stays when the group has no jobs, so
-- that the group keeps its place in the order of serving.
CREATE TABLE groups (
  no      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- order of first mention
  kind    text COLLATE "C" NOT NULL,
  name    bytea  NOT NULL,
  account bigint,                    -- of all its jobs; 0: of several; NULL: no job yet
  served  bigint NOT NULL DEFAULT 0, -- number of the last claim of one of its jobs
  held    bigint,                    -- microseconds; the end of its pause
  UNIQUE (kind, name)
) WITH (fillfactor = 70);

-- The numbers in groups.served.
CREATE SEQUENCE served;

CREATE TABLE jobs (
  no      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account bigint NOT NULL,
  id      uuid   NOT NULL,
  grp     bigint NOT NULL,
  place   bigint NOT NULL, -- order of enqueueing
  ref     uuid   NOT NULL,
  data    bytea,
  due     bigint NOT NULL, -- microseconds
  attempt integer NOT NULL DEFAULT 0,
  token   uuid,   -- NULL: not claimed
  until   bigint, -- microseconds; the end of the lease of token
  UNIQUE (account, id)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- The numbers in jobs.place: an enqueued job takes the last place, also if it replaces
-- another.
CREATE SEQUENCE places;

CREATE INDEX jobs_due ON jobs (grp, due, place);
CREATE INDEX jobs_leased ON jobs (grp) WHERE until IS NOT NULL;
