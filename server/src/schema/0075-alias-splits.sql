-- Splits: versions that answer, in place of the one that an alias points at, a share of those whom it is asked about.
create table alias_splits (
  organization_id text not null,
  workspace_id text not null,
  model_id text not null,
  alias text not null,
  version_id text not null,
  -- Of those whom predictions are about.
  share double precision not null check (share > 0 and share < 1),
  -- What was answered before belongs to neither side: predictions with ids up to here.
  since text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (model_id, alias),
  foreign key (model_id, alias) references aliases (model_id, alias) on delete cascade,
  foreign key (workspace_id, model_id, version_id)
    references model_versions (workspace_id, model_id, id) on delete cascade
);
create index on alias_splits (version_id);
select isolate_by_workspace('alias_splits');
create trigger count_serving_epoch after insert or update or delete on alias_splits
  for each row execute function count_serving_epoch();
