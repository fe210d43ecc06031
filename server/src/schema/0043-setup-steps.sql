-- What the service makes by itself in a workspace that it fills, such as that of the demo, one step after the other.
create table setup_steps (
  workspace_id text not null,
  organization_id text not null,
  step text not null,
  position integer not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'ready', 'failed')),
  -- The work that it waits for, and the model that it makes.
  ingestion_id text,
  training_run_id text,
  model_id text,
  -- Why it failed.
  detail text,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, step)
);
select isolate_by_workspace('setup_steps');
