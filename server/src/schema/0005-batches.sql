-- Batches: files of rows scored in units that any worker may run again.
create table batches (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed')),
  -- The target of rows that name none: {model_id, alias?, version_id}.
  model jsonb,
  -- Every target that was servable at creation, pinned: {"<model>/<alias or version>": version id}.
  targets jsonb not null,
  snapshot_id text not null,
  reference_date date,
  as_of timestamptz not null,
  priority integer not null default 0,
  output_format text,
  metadata jsonb not null default '{}',
  rows_total bigint,
  failure jsonb,
  result_deleted_at timestamptz,
  interrupt_requested_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  foreign key (workspace_id, snapshot_id) references snapshots (workspace_id, id),
  unique (workspace_id, id)
);
create index on batches (workspace_id, id);
create index on batches (status) where status in ('queued', 'running');
select isolate_by_workspace('batches');

create table batch_files (
  organization_id text not null,
  workspace_id text not null,
  batch_id text not null,
  position integer not null,
  file_id text not null,
  path text not null,
  output_path text not null,
  rows bigint,
  warnings jsonb not null default '[]',
  output_key text,
  output_bytes bigint,
  output_rows bigint,
  output_sha256 text,
  primary key (batch_id, position),
  foreign key (workspace_id, batch_id) references batches (workspace_id, id) on delete cascade,
  foreign key (workspace_id, file_id) references files (workspace_id, id)
);
select isolate_by_workspace('batch_files');

create table batch_units (
  organization_id text not null,
  workspace_id text not null,
  batch_id text not null,
  position integer not null,
  unit integer not null,
  -- Row groups [first, last) of a Parquet file; null for a whole file.
  first_row_group integer,
  last_row_group integer,
  first_row bigint not null,
  rows bigint,
  status text not null default 'queued' check (status in ('queued', 'succeeded', 'failed')),
  succeeded bigint not null default 0,
  failed bigint not null default 0,
  part_key text,
  errors_key text,
  attempt integer not null default 0,
  finished_at timestamptz,
  primary key (batch_id, position, unit),
  foreign key (batch_id, position) references batch_files (batch_id, position) on delete cascade
);
select isolate_by_workspace('batch_units');
