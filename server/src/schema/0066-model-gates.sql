-- What a version must have passed before an alias is moved to it; a model without a row has the default gates.
create table model_gates (
  organization_id text not null,
  workspace_id text not null,
  model_id text primary key,
  policy jsonb not null,
  updated_by text not null,
  updated_at timestamptz not null default now(),
  foreign key (workspace_id, model_id) references models (workspace_id, id) on delete cascade
);
select isolate_by_workspace('model_gates');

-- The versions that each alias has pointed at: going back to one of them is not held up by gates.
create table alias_holders (
  organization_id text not null,
  workspace_id text not null,
  model_id text not null,
  alias text not null,
  version_id text not null,
  since timestamptz not null default now(),
  primary key (model_id, alias, version_id),
  foreign key (workspace_id, model_id, version_id) references model_versions (workspace_id, model_id, id) on delete cascade
);
select isolate_by_workspace('alias_holders');

insert into alias_holders (organization_id, workspace_id, model_id, alias, version_id, since)
  select organization_id, workspace_id, model_id, alias, version_id, updated_at from aliases;
-- Those before them, as the trail tells it.
insert into alias_holders (organization_id, workspace_id, model_id, alias, version_id, since)
  select v.organization_id, v.workspace_id, v.model_id, e.data ->> 'alias', v.id, min(e.recorded_at)
  from audit_entries as e join model_versions as v on v.id = e.target_id and v.workspace_id = e.workspace_id
  where e.action = 'model-version-promotion' and e.data ? 'alias'
  group by v.organization_id, v.workspace_id, v.model_id, e.data ->> 'alias', v.id
  on conflict do nothing;
