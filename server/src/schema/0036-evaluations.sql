-- Evaluations: what a version, or two side by side, were worth on the rows of a labelled file. Results hold no rows.
create table evaluations (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed', 'interrupted')),
  file_id text not null,
  path text not null,
  -- {model_id, alias, version_id}, pinned at creation; the second to compare with.
  model jsonb not null,
  compare_with jsonb,
  segments text[] not null default '{}',
  snapshot_id text not null,
  reference_date date,
  -- The last moment that may be read.
  as_of timestamptz not null,
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
  foreign key (workspace_id, file_id) references files (workspace_id, id),
  foreign key (workspace_id, snapshot_id) references snapshots (workspace_id, id),
  unique (workspace_id, id)
);
create index on evaluations (workspace_id, id);
create index on evaluations (workspace_id) where status in ('queued', 'running');
select isolate_by_workspace('evaluations');
