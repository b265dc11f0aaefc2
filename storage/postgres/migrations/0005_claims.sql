-- oldest: 4
-- What a node needs to follow the queues from claim to claim: see followed in followed.go. The
-- number of the transaction that has changed a row says whether a node has seen the change. It
-- means nothing in another database, and a dump keeps it: numbers of the future are left out.

ALTER TABLE jobs ADD COLUMN changed xid8 NOT NULL DEFAULT pg_current_xact_id();
ALTER TABLE groups ADD COLUMN changed xid8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX jobs_changed ON jobs (changed);
CREATE INDEX groups_changed ON groups (changed);

-- A trigger, so that programs of earlier versions set it too.
CREATE FUNCTION set_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed := pg_current_xact_id();
  RETURN NEW;
END
$$;

CREATE TRIGGER jobs_changed BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION set_changed();
CREATE TRIGGER groups_changed BEFORE UPDATE ON groups FOR EACH ROW EXECUTE FUNCTION set_changed();

-- The number of the last claim of each group that was served. A claim deletes the row and adds
-- another: the versions of a row that stays would grow in number while a snapshot is held, and
-- each look at the group would read them all. groups.served is not used any more.
CREATE TABLE servings (
  served bigint PRIMARY KEY,
  grp    bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

INSERT INTO servings SELECT served, no FROM groups WHERE served > 0;
