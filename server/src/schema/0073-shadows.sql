-- Shadows: versions that answer what an alias was asked too, after it and beside it, to be compared.
create table shadows (
  organization_id text not null,
  workspace_id text not null,
  model_id text not null,
  version_id text not null references model_versions (id) on delete cascade,
  alias text not null,
  -- Of those whom the predictions are about; 0: none for the time being.
  share double precision not null check (share between 0 and 1),
  cutoff jsonb,
  -- What its answers are compared by; null before the first.
  answers jsonb,
  -- All predictions with ids up to here are done; some with later ids are too.
  position text not null,
  -- The last prediction that was seen.
  seen text not null,
  -- Until then a worker is at it.
  lease_until timestamptz not null default now(),
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, model_id, version_id)
);
create index on shadows (version_id);
select isolate_by_workspace('shadows');

-- The numbers that were answered, and what the shadow says; null where it would refuse the inputs, or there is none.
create table shadow_predictions (
  organization_id text not null,
  workspace_id text not null,
  model_id text not null,
  version_id text not null,
  prediction_id text not null,
  before double precision,
  after double precision,
  primary key (workspace_id, model_id, version_id, prediction_id),
  foreign key (workspace_id, model_id, version_id) references shadows on delete cascade
);
create index on shadow_predictions (workspace_id, prediction_id);
select isolate_by_workspace('shadow_predictions');
