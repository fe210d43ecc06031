-- Tasks, the runs that learn them, versions, aliases, and what was predicted.
create table tasks (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  name text not null,
  kind text not null,
  definition text not null,
  -- Files with labels, by part: {train: file id, validation: file id}.
  labels jsonb not null default '{}',
  created_by text not null,
  created_at timestamptz not null default now(),
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  unique (workspace_id, name),
  unique (workspace_id, id)
);
select isolate_by_workspace('tasks');

create table models (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  name text not null,
  kind text not null,
  task_id text not null,
  created_at timestamptz not null default now(),
  foreign key (workspace_id, task_id) references tasks (workspace_id, id),
  unique (workspace_id, name),
  unique (workspace_id, id)
);
select isolate_by_workspace('models');

-- A run learns a task, for a model; or it pre-trains the encoder of a table's rows.
create table training_runs (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  task_id text,
  model_id text,
  entity text,
  snapshot_id text not null,
  contract_id text not null,
  version_id text,
  rfm_version_id text,
  check ((entity is null) = (task_id is not null) and (task_id is null) = (model_id is null)),
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed', 'interrupted')),
  phase text,
  fraction double precision not null default 0,
  metrics jsonb not null default '{}',
  attempt integer not null default 0,
  failure jsonb,
  -- Alias to point at the version as soon as it is active.
  alias text,
  interrupt_requested_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  foreign key (workspace_id, task_id) references tasks (workspace_id, id),
  foreign key (workspace_id, model_id) references models (workspace_id, id),
  foreign key (workspace_id, snapshot_id) references snapshots (workspace_id, id),
  foreign key (workspace_id, contract_id) references contracts (workspace_id, id),
  unique (workspace_id, id)
);
create index on training_runs (workspace_id, id);
select isolate_by_workspace('training_runs');

create table model_versions (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  model_id text not null,
  number integer not null,
  training_run_id text not null,
  snapshot_id text not null,
  contract_id text not null,
  status text not null check (status in ('validating', 'active', 'inactive')),
  metrics jsonb not null,
  inputs jsonb not null,
  outputs jsonb not null,
  -- SHA-256 of each file of the version folder, which lies under storage_prefix.
  files jsonb not null,
  storage_prefix text not null,
  created_at timestamptz not null default now(),
  foreign key (workspace_id, model_id) references models (workspace_id, id),
  foreign key (workspace_id, training_run_id) references training_runs (workspace_id, id),
  unique (model_id, number),
  unique (workspace_id, model_id, id)
);
select isolate_by_workspace('model_versions');

create table rfm_versions (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  -- The table whose rows it embeds.
  entity text not null,
  number integer not null,
  training_run_id text not null,
  snapshot_id text not null,
  contract_id text not null,
  report jsonb not null,
  -- SHA-256 of each file of its folder, which lies under storage_prefix.
  files jsonb not null,
  storage_prefix text not null,
  created_at timestamptz not null default now(),
  foreign key (workspace_id, training_run_id) references training_runs (workspace_id, id),
  foreign key (workspace_id, snapshot_id) references snapshots (workspace_id, id),
  foreign key (workspace_id, contract_id) references contracts (workspace_id, id),
  unique (workspace_id, entity, number),
  unique (workspace_id, id)
);
select isolate_by_workspace('rfm_versions');

create table aliases (
  organization_id text not null,
  workspace_id text not null,
  model_id text not null,
  alias text not null check (alias ~ '^[a-z][a-z0-9-]{0,62}$'),
  version_id text not null,
  -- Counts changes; the ETag.
  revision integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (model_id, alias),
  foreign key (workspace_id, model_id, version_id) references model_versions (workspace_id, model_id, id)
);
select isolate_by_workspace('aliases');

-- What is served changes with aliases, version states and the newest snapshot.
create function count_serving_epoch() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update workspaces set serving_epoch = serving_epoch + 1
    where id = case tg_op when 'DELETE' then old.workspace_id else new.workspace_id end;
  return null;
end $$;
create trigger count_serving_epoch after insert or update or delete on aliases
  for each row execute function count_serving_epoch();
create trigger count_serving_epoch after update of status on model_versions
  for each row execute function count_serving_epoch();
create function count_snapshot() returns trigger language plpgsql as $$
begin
  new.serving_epoch := new.serving_epoch + 1;
  return new;
end $$;
create trigger count_snapshot before update of snapshot_id, identifiers_key on workspaces for each row
  when (old.snapshot_id is distinct from new.snapshot_id or old.identifiers_key is distinct from new.identifiers_key)
  execute function count_snapshot();

create table predictions (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  model_id text not null,
  version_id text not null,
  snapshot_id text not null,
  alias text,
  as_of timestamptz not null,
  inputs jsonb not null,
  outputs jsonb not null,
  actor_id text,
  request_id text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- What was asked and answered is gone then.
  erased_at timestamptz
);
create index on predictions (workspace_id, id);
select isolate_by_workspace('predictions');
revoke update, delete on predictions from lastro_app;
