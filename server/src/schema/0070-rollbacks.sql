-- Where an alias pointed before, so that it can be moved back.
alter table aliases add column previous_version_id text;

-- Aliases that were moved back because their version failed. Its reason is what failed.
create table rollbacks (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  model_id text not null,
  alias text not null,
  from_version_id text not null,
  to_version_id text not null,
  reason jsonb not null,
  created_at timestamptz not null default now(),
  foreign key (workspace_id, model_id) references models (workspace_id, id) on delete cascade,
  -- A version is rolled back once, whoever points the alias at it again.
  unique (model_id, alias, from_version_id),
  unique (workspace_id, id)
);
select isolate_by_workspace('rollbacks');
