-- Whose jobs a group has: 0 when there are, or were, those of several accounts,
-- NULL while there was none. A claim leaves out the groups of an account that may
-- have no more, without reading what waits in them.
ALTER TABLE groups ADD COLUMN account INTEGER;
UPDATE groups SET account = (SELECT CASE WHEN min(account) < max(account) THEN 0 ELSE min(account) END FROM jobs WHERE grp = groups.no);
