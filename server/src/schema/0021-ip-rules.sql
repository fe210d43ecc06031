-- From where callers may come in: an address must be in a network of every level that has rules for its channel, of which
-- the organization, the workspace and the key are one each.
alter table api_keys add unique (workspace_id, id);

create table ip_rules (
  id text primary key,
  organization_id text not null references organizations,
  -- Without a workspace, of the organization and all its workspaces.
  workspace_id text,
  -- Without a key, of all who come in.
  api_key_id text,
  applies_to text not null check (applies_to in ('dashboard', 'api', 'both')),
  cidr cidr not null,
  note text,
  created_by text references users,
  created_at timestamptz not null default now(),
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  foreign key (workspace_id, api_key_id) references api_keys (workspace_id, id),
  check (api_key_id is null or (workspace_id is not null and applies_to = 'api'))
);
create index on ip_rules (organization_id, workspace_id, id);
select isolate_by_scope('ip_rules');
grant select, insert, delete on ip_rules to lastro_app, lastro_system;

-- Keys are recognised from memory, their rules with them.
create trigger count_auth_epoch after insert or update or delete on ip_rules
  for each row execute function count_auth_epoch();
