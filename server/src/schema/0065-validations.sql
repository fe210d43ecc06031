-- Validations: a version held against the one that it would replace. Results hold no rows.
create table validations (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  model_id text not null,
  version_id text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed', 'interrupted')),
  -- The alias whose version it is held against, and that version, pinned at creation; null where there is none.
  alias text,
  compare_with_version_id text,
  segments text[] not null default '{}',
  snapshot_id text not null,
  -- Earlier data, by which both are asked again.
  earlier_snapshot_id text,
  -- The last moment that may be read.
  as_of timestamptz not null,
  time_zone text not null,
  phase text,
  fraction double precision not null default 0,
  verdict text check (verdict in ('better', 'equal', 'worse', 'broken', 'drifted', 'misscaled', 'cannot_tell')),
  result jsonb,
  failure jsonb,
  attempt integer not null default 0,
  created_by text not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  foreign key (workspace_id, model_id, version_id) references model_versions (workspace_id, model_id, id) on delete cascade,
  foreign key (workspace_id, snapshot_id) references snapshots (workspace_id, id),
  unique (workspace_id, id)
);
create index on validations (version_id, id);
create index on validations (workspace_id) where status in ('queued', 'running');
select isolate_by_workspace('validations');
