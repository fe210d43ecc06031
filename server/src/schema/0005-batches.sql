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
  -- The moment asked about where a row names none; created_at is the latest moment any row may ask about.
  as_of timestamptz not null,
  time_zone text not null,
  language text not null,
  priority integer not null default 0,
  output_format text check (output_format in ('parquet', 'csv', 'jsonl')),
  metadata jsonb not null default '{}',
  failure jsonb,
  result_deleted_at timestamptz,
  interrupt_requested_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  -- When its files were cut into units.
  planned_at timestamptz,
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
  -- Of the result, once the file was looked at.
  output_path text,
  output_format text,
  -- As far as known: lines of text are counted before they are read.
  rows bigint,
  -- The targets that its rows name in a column, with a null for rows that name none; null without such a column.
  endpoints jsonb,
  warnings jsonb not null default '[]',
  -- Why the file, or the rest of it, could not be scored.
  failure jsonb,
  output_key text,
  output_bytes bigint,
  output_rows bigint,
  output_sha256 text,
  output_crc32 bigint,
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
  -- Rows of the file, counted from 0; without a count all of them.
  first_row bigint not null,
  rows bigint,
  status text not null default 'planned'
    check (status in ('planned', 'queued', 'running', 'succeeded', 'interrupted', 'failed')),
  succeeded bigint not null default 0,
  failed bigint not null default 0,
  part_key text,
  part_bytes bigint,
  part_sha256 text,
  part_crc32 bigint,
  -- Bytes of a CSV part before its first row.
  part_header_bytes integer,
  errors_key text,
  attempt integer not null default 0,
  -- When its worker was last heard of.
  touched_at timestamptz,
  finished_at timestamptz,
  primary key (batch_id, position, unit),
  foreign key (batch_id, position) references batch_files (batch_id, position) on delete cascade
);
create index on batch_units (workspace_id) where status in ('planned', 'queued', 'running');
select isolate_by_workspace('batch_units');
