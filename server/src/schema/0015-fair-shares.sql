-- What a workspace has open is counted when it asks for more.
create index on batches (workspace_id) where status in ('queued', 'running');
create index on ingestions (workspace_id) where status in ('queued', 'running');
create index on training_runs (workspace_id) where status in ('queued', 'running');
create index on erasures (workspace_id) where status in ('queued', 'running');

-- Ingestions and erasures may be interrupted, as training runs may.
alter table ingestions drop constraint ingestions_status_check;
alter table ingestions add constraint ingestions_status_check
  check (status in ('queued', 'running', 'succeeded', 'refused', 'failed', 'interrupted'));
alter table erasures drop constraint erasures_status_check;
alter table erasures add constraint erasures_status_check
  check (status in ('queued', 'running', 'succeeded', 'failed', 'interrupted'));
