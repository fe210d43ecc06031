-- Bytes of files that are sent in parts, until they are all there.
alter table files add column declared_bytes bigint check (declared_bytes >= 0);

create table file_parts (
  organization_id text not null,
  workspace_id text not null,
  file_id text not null,
  -- The place of its first byte in the file.
  starts bigint not null check (starts >= 0),
  bytes bigint not null check (bytes > 0),
  storage_key text not null,
  sha256 text not null,
  primary key (file_id, starts),
  foreign key (workspace_id, file_id) references files (workspace_id, id)
);
select isolate_by_workspace('file_parts');
