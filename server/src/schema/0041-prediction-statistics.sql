-- What predictions are counted and found by. Of those made before, it is not known.
alter table predictions
  -- How the request came in.
  add column channel text,
  -- From when the request had been read until its answer was computed.
  add column latency_ms real,
  add column band text,
  -- In which tenth of its range the first output with a range lies: 1 to 10.
  add column tenth smallint check (tenth between 1 and 10),
  -- Whom it is about: a row of a table, by its key.
  add column entity_table text,
  add column entity_key text;
create index on predictions (workspace_id, entity_key, id) where entity_key is not null;
