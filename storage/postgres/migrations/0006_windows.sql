-- oldest: 4
-- admit_event records an event in each scope if none has limits[i] events in the window of
-- length microseconds, and returns 0. Otherwise it records nothing and returns after how many
-- microseconds there is room. With refuse = false it records the event in any case. clock is the
-- time of the event; NULL is the time when the scopes are locked.
--
-- The rows of the scopes are locked in their order, so that calls for one scope are serial and
-- none wait for each other. Missing rows are added before any is locked: a call that holds one
-- scope and waits for another one that is being added could be what that other call waits for. The commit need not reach the disk before the answer: a crash of the
-- database can lose the events of its last fraction of a second.
CREATE OR REPLACE FUNCTION admit_event(scopes bytea[], limits bigint[], length bigint, refuse boolean, clock bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  locked integer;
  now_   bigint;
  wait   bigint;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  LOOP
    INSERT INTO rate_windows SELECT scope, 0, 0 FROM unnest(scopes) AS new (scope)
      WHERE NOT EXISTS (SELECT 1 FROM rate_windows w WHERE w.scope = new.scope) ORDER BY scope ON CONFLICT DO NOTHING;
    SELECT count(*) INTO locked FROM (SELECT FROM rate_windows WHERE scope = ANY (scopes) ORDER BY scope FOR UPDATE) held;
    EXIT WHEN locked = cardinality(scopes); -- otherwise one was swept
  END LOOP;
  -- Not before the newest event, so that events are in the order of their numbers.
  SELECT max(greatest(until - length, coalesce(clock, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)))
    INTO now_ FROM rate_windows WHERE scope = ANY (scopes);
  IF refuse THEN
    SELECT max(e.at + length - now_) INTO wait
      FROM unnest(scopes, limits) AS q (scope, most) JOIN rate_windows w USING (scope)
      JOIN rate_events e ON e.scope = w.scope AND e.number = w.last - q.most + 1
      WHERE e.at + length > now_;
    IF wait > 0 THEN
      RETURN wait;
    END IF;
  END IF;
  UPDATE rate_windows SET last = last + 1, until = now_ + length WHERE scope = ANY (scopes);
  INSERT INTO rate_events SELECT scope, last, now_ FROM rate_windows WHERE scope = ANY (scopes);
  DELETE FROM rate_events e USING unnest(scopes, limits) AS q (scope, most), rate_windows w
    WHERE w.scope = q.scope AND e.scope = w.scope AND e.number <= w.last - q.most;
  RETURN 0;
END
$$;
