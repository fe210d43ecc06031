-- Backtests: what another version would have answered to the predictions of a time. Results hold no inputs and no keys.
create table backtests (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed', 'interrupted')),
  -- {model_id, alias, version_id, number}, pinned at creation; null to compare with what was answered.
  model jsonb not null,
  compare_with jsonb,
  from_at timestamptz not null,
  until_at timestamptz not null,
  cutoff jsonb,
  snapshot_id text not null,
  time_zone text not null,
  phase text,
  fraction double precision not null default 0,
  result jsonb,
  failure jsonb,
  attempt integer not null default 0,
  created_by text not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  foreign key (workspace_id, snapshot_id) references snapshots (workspace_id, id),
  unique (workspace_id, id)
);
create index on backtests (workspace_id, id);
create index on backtests (workspace_id) where status in ('queued', 'running');
select isolate_by_workspace('backtests');
