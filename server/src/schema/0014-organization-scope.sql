-- What is done in an organization as a whole is done in a transaction whose workspace is '': no workspace may be called so.
alter table workspaces add constraint workspaces_id_check check (id <> '');

-- An Idempotency-Key of a request to an organization as a whole has no workspace.
alter table idempotency_keys drop constraint idempotency_keys_pkey;
alter table idempotency_keys alter workspace_id drop not null;
create unique index on idempotency_keys (workspace_id, route, key);
create unique index on idempotency_keys (organization_id, route, key) where workspace_id is null;
drop policy tenant on idempotency_keys;
create policy tenant on idempotency_keys to lastro_app
  using (organization_id = current_setting('app.organization_id', true)
    and workspace_id is not distinct from nullif(current_setting('app.workspace_id', true), ''))
  with check (organization_id = current_setting('app.organization_id', true)
    and workspace_id is not distinct from nullif(current_setting('app.workspace_id', true), ''));
