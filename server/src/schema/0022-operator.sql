-- What the operator of the installation decides about an organization: its members see it, and do not change it.
alter table organizations add column status text not null default 'active' check (status in ('active', 'suspended'));
alter table organizations add column features text[] not null default '{}' check (features <@ array['sftp', 'sso']);
alter table organizations add column price_plan text check (price_plan ~ '^[a-z0-9][a-z0-9_-]{0,62}$');
revoke update on organizations from lastro_app;
grant update (name, second_factor) on organizations to lastro_app;

drop trigger count_auth_epochs on organizations;
create trigger count_auth_epochs after update of second_factor, status on organizations for each row
  when (old.second_factor is distinct from new.second_factor or old.status is distinct from new.status)
  execute function count_auth_epochs_of_organization();

create table quotas (
  organization_id text not null references organizations,
  -- Without a workspace, of all of them together.
  workspace_id text,
  resource text not null check (resource in ('batch_rows', 'embeddings', 'predictions', 'training_runs')),
  -- In a calendar month.
  monthly_limit bigint not null check (monthly_limit >= 0),
  set_at timestamptz not null default now(),
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  unique nulls not distinct (organization_id, workspace_id, resource)
);
alter table quotas enable row level security;
create policy tenant on quotas to lastro_app
  using (organization_id = current_setting('app.organization_id', true)
    and (workspace_id is null or workspace_id = current_setting('app.workspace_id', true)));
create policy system on quotas to lastro_system using (true) with check (true);
grant select on quotas to lastro_app;
grant select, insert, update, delete on quotas to lastro_system;
