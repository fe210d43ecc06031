-- How a model is watched; without a row, as the defaults of `monitor.ts` say.
create table monitors (
  organization_id text not null,
  workspace_id text not null,
  model_id text primary key,
  enabled boolean not null,
  auto_rollback boolean not null,
  -- How many days after an alias was moved it may be moved back.
  rollback_days integer not null check (rollback_days between 1 and 365),
  -- With fewer decided outcomes nothing is said of how good answers are.
  outcomes_min integer not null check (outcomes_min between 50 and 100000),
  -- The first day that answers are held against; null: that of the version's first answer.
  reference_from date,
  -- Counts changes; the ETag.
  revision integer not null default 1,
  updated_at timestamptz not null default now(),
  foreign key (workspace_id, model_id) references models (workspace_id, id) on delete cascade
);
select isolate_by_workspace('monitors');

-- A version whose answers are counted.
create table monitored_versions (
  organization_id text not null,
  workspace_id text not null,
  model_id text not null,
  version_id text primary key,
  -- What is counted, in order: [{name, kind, said, bins}]; null until there are answers to lay bins by.
  signals jsonb,
  -- Answers before this moment are counted.
  counted_until timestamptz,
  -- What the tables tell of answers up to this day has been asked.
  observed_until date,
  -- The newest judgement.
  report jsonb,
  judged_at timestamptz,
  foreign key (workspace_id, model_id, version_id)
    references model_versions (workspace_id, model_id, id) on delete cascade
);
create index on monitored_versions (workspace_id, model_id);
select isolate_by_workspace('monitored_versions');

-- How many answers of a day lie in each bin, by signal.
create table monitored_days (
  organization_id text not null,
  workspace_id text not null,
  version_id text not null references monitored_versions (version_id) on delete cascade,
  day date not null,
  rows integer not null,
  counts jsonb not null,
  primary key (version_id, day)
);
select isolate_by_workspace('monitored_days');

-- Alarms of versions, raised and cleared.
create table model_alarms (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  model_id text not null,
  version_id text not null,
  kind text not null check (kind in ('drift', 'performance')),
  -- What is beyond its threshold: [{name, kind, of, value, threshold}].
  signals jsonb not null,
  raised_at timestamptz not null,
  cleared_at timestamptz,
  foreign key (workspace_id, model_id, version_id)
    references model_versions (workspace_id, model_id, id) on delete cascade,
  unique (workspace_id, id)
);
create index on model_alarms (workspace_id, model_id, id);
create unique index on model_alarms (version_id, kind) where cleared_at is null;
select isolate_by_workspace('model_alarms');
