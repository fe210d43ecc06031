-- Runs say who asked for them, by an id that names nobody by itself, and up to which day their data tell.
alter table training_runs
  add column actor_type text,
  add column actor_id text,
  add column data_until text;
update training_runs set actor_type = 'user', actor_id = u.id from users as u where u.email = training_runs.created_by;
update training_runs set data_until = s.report -> 'event_days' ->> 'newest'
  from snapshots as s where s.workspace_id = training_runs.workspace_id and s.id = training_runs.snapshot_id;
