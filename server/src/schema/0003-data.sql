-- Contracts, snapshots of accepted data, and the ingestions that make them.
create table contracts (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  number integer not null,
  status text not null check (status in ('proposed', 'active', 'superseded', 'rejected')),
  document text not null,
  -- The contract that was active when it was proposed, and what changes against it.
  base_id text,
  changes jsonb not null default '[]',
  ingestion_id text,
  created_by text not null,
  created_at timestamptz not null default now(),
  accepted_at timestamptz,
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  unique (workspace_id, number),
  unique (workspace_id, id)
);
create unique index contracts_one_active on contracts (workspace_id) where status = 'active';
select isolate_by_workspace('contracts');

create table snapshots (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  contract_id text not null,
  parent_id text,
  sha256 text not null,
  manifest jsonb not null,
  report jsonb not null,
  -- The frozen tables that predictions are served from.
  frozen_key text not null,
  frozen_sha256 text not null,
  frozen_bytes bigint not null,
  -- When an erasure removed its parts, which kept a name as text: there is nothing left to read.
  erased_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (workspace_id, contract_id) references contracts (workspace_id, id),
  unique (workspace_id, id)
);
select isolate_by_workspace('snapshots');

create table ingestions (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'refused', 'failed')),
  files jsonb not null,
  -- Null where the workspace had no contract yet: one is proposed from the files.
  contract_id text,
  proposed_contract_id text,
  snapshot_id text,
  -- False where the same content was there already.
  changed boolean,
  deviations jsonb,
  report jsonb,
  failure jsonb,
  progress jsonb,
  metadata jsonb not null default '{}',
  created_by text not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  foreign key (workspace_id, contract_id) references contracts (workspace_id, id),
  unique (workspace_id, id)
);
create index on ingestions (workspace_id, id);
select isolate_by_workspace('ingestions');

create table erasures (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed')),
  -- Sealed until it is done, then gone: the record does not say who was erased.
  identifier text,
  -- Storage keys that nothing leads to since the name was taken out of the tables here; null until then.
  doomed jsonb,
  -- How many of each went: dictionary entries, predictions, files.
  erased jsonb not null default '{}',
  failure jsonb,
  created_by text not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  unique (workspace_id, id)
);
select isolate_by_workspace('erasures');
