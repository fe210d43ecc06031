-- Approvals of versions for an alias, by people.
create table version_approvals (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  model_id text not null,
  version_id text not null,
  alias text not null,
  -- The person who approved, themselves or by a key that they made.
  user_id text not null,
  approved_by text not null,
  comment text,
  created_at timestamptz not null default now(),
  unique (version_id, alias, user_id),
  foreign key (workspace_id, model_id, version_id) references model_versions (workspace_id, model_id, id) on delete cascade
);
select isolate_by_workspace('version_approvals');
