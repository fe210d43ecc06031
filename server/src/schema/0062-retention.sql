-- What old rows are found by, and what stays of events that are removed.

-- The last number of each resource that had events which were removed: those that come go on from it.
create table event_sequences (
  organization_id text not null,
  workspace_id text,
  resource_id text not null,
  sequence integer not null,
  unique nulls not distinct (resource_id, workspace_id)
);
alter table event_sequences enable row level security;
create policy tenant on event_sequences to lastro_app
  using (organization_id = current_setting('app.organization_id', true)
    and (workspace_id is null or workspace_id = current_setting('app.workspace_id', true)));
create policy system on event_sequences to lastro_system using (true) with check (true);
grant select on event_sequences to lastro_app;
grant select, insert, update on event_sequences to lastro_system;

create index on batches (workspace_id, finished_at) where finished_at is not null;
create index on sessions (expires_at);
create index on sessions (device_id);
create index on sftp_files (removed_at) where removed_at is not null;
