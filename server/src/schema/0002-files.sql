-- Files as customers send them.
create table uploads (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  unique (workspace_id, id)
);
select isolate_by_workspace('uploads');

create table files (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  upload_id text not null,
  path text not null,
  content_type text not null,
  md5 text not null,
  status text not null default 'awaiting_upload' check (status in ('awaiting_upload', 'uploaded', 'deleted')),
  storage_key text not null,
  bytes bigint,
  sha256 text,
  expires_at timestamptz not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  uploaded_at timestamptz,
  deleted_at timestamptz,
  foreign key (workspace_id, upload_id) references uploads (workspace_id, id),
  unique (workspace_id, id)
);
create index on files (workspace_id, path, id);
create index on files (expires_at) where status = 'awaiting_upload';
select isolate_by_workspace('files');
