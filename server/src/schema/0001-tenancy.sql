-- Who acts, where, with what right, and the trail left.
-- Two roles without login: the service's own transactions take on one of them, never the owner's rights.
do $$
begin
  perform pg_advisory_xact_lock(hashtext('lastro roles'));
  if not exists (select from pg_roles where rolname = 'lastro_app') then create role lastro_app nologin; end if;
  if not exists (select from pg_roles where rolname = 'lastro_system') then create role lastro_system nologin; end if;
  execute format('grant lastro_app, lastro_system to %I', current_user);
end $$;

grant usage on schema public to lastro_app, lastro_system;

-- Rows of a workspace are seen by lastro_app only with that workspace set for the transaction.
create function isolate_by_workspace(name regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format($p$create policy tenant on %s to lastro_app
    using (workspace_id = current_setting('app.workspace_id', true))
    with check (workspace_id = current_setting('app.workspace_id', true)
      and organization_id = current_setting('app.organization_id', true))$p$, name);
  execute format('create policy system on %s to lastro_system using (true) with check (true)', name);
  execute format('grant select, insert, update, delete on %s to lastro_app, lastro_system', name);
end $$;

create function isolate_by_organization(name regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format($p$create policy tenant on %s to lastro_app
    using (organization_id = current_setting('app.organization_id', true))
    with check (organization_id = current_setting('app.organization_id', true))$p$, name);
  execute format('create policy system on %s to lastro_system using (true) with check (true)', name);
  execute format('grant select, insert, update, delete on %s to lastro_app, lastro_system', name);
end $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = '42501';
end $$;

-- What all processes share; the owner's alone.
create table installation (
  id integer primary key default 1 check (id = 1),
  -- Tells the master secret from others, and nothing of it.
  secret_fingerprint text not null
);

create table organizations (
  id text primary key,
  name text not null,
  created_at timestamptz not null default now()
);
alter table organizations enable row level security;
create policy tenant on organizations to lastro_app using (id = current_setting('app.organization_id', true));
create policy system on organizations to lastro_system using (true) with check (true);
grant select, update on organizations to lastro_app;
grant select, insert, update, delete on organizations to lastro_system;

create table workspaces (
  id text primary key,
  organization_id text not null references organizations,
  name text not null,
  time_zone text not null default 'America/Sao_Paulo',
  language text not null default 'en' check (language in ('en', 'pt-BR')),
  status text not null default 'active' check (status in ('active', 'archived')),
  -- Counts changes of who may do what here: a cached right older than this is asked again.
  auth_epoch integer not null default 0,
  -- Counts changes of what is served here: aliases, version states, snapshots.
  serving_epoch integer not null default 0,
  snapshot_id text,
  -- The dictionary of names of companies, people and assets; their tables hold its numbers.
  identifiers_key text,
  created_at timestamptz not null default now(),
  unique (organization_id, id)
);
select isolate_by_organization('workspaces');

create table users (
  id text primary key,
  email text not null,
  email_canonical text not null unique,
  display_name text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz not null default now()
);

create table grants (
  id text primary key,
  organization_id text not null references organizations,
  -- Without a workspace it holds in the organization and all its workspaces.
  workspace_id text,
  user_id text not null references users,
  role text not null check (role in ('creator', 'developer', 'analyst', 'billing_manager', 'auditor', 'member')),
  created_at timestamptz not null default now(),
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  unique nulls not distinct (organization_id, workspace_id, user_id)
);
select isolate_by_organization('grants');

alter table users enable row level security;
create policy tenant on users to lastro_app using (
  exists (select from grants where user_id = users.id and organization_id = current_setting('app.organization_id', true)));
create policy system on users to lastro_system using (true) with check (true);
grant select on users to lastro_app;
grant select, insert, update, delete on users to lastro_system;

create table api_keys (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  user_id text not null references users,
  name text not null,
  hint text not null,
  secret_hash text not null unique,
  -- What the key may at most do; null for all that its maker's role may.
  scopes text[],
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id)
);
create index on api_keys (workspace_id);
select isolate_by_workspace('api_keys');

-- Counting up an epoch and answering by it take turns on an advisory lock of the workspace. Its queue is fair, and it
-- writes nothing: share locks on the workspace's row write the row each time, and new ones can pass a revocation that waits.
create function lock_epochs(id text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtext('workspace epochs'), hashtext(id));
$$;

-- The epochs of workspaces. What changed a right before shows in them; what comes after waits until this transaction ends.
-- Volatile: each statement in it sees what was committed when it starts, the locks held already.
create function current_epochs(ids text[]) returns table (id text, auth_epoch integer, serving_epoch integer)
  language plpgsql volatile as $$
declare
  one text;
begin
  foreach one in array ids loop
    perform pg_advisory_xact_lock_shared(hashtext('workspace epochs'), hashtext(one));
  end loop;
  return query select w.id, w.auth_epoch, w.serving_epoch from workspaces w where w.id = any (ids);
end $$;

-- Whatever changes a right counts up the epoch of the workspaces it holds in, in the same transaction.
create function count_auth_epoch() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  one text;
begin
  for one in
    select w.id from workspaces w
      where case tg_table_name
        when 'users' then w.organization_id in
          (select g.organization_id from grants g where g.user_id = to_jsonb(new) ->> 'id')
        else exists (select from (values (to_jsonb(old)), (to_jsonb(new))) as rights (held)
          where held ->> 'organization_id' = w.organization_id and coalesce(held ->> 'workspace_id', w.id) = w.id)
      end
      order by w.id
  loop
    perform lock_epochs(one);
    update workspaces set auth_epoch = auth_epoch + 1 where id = one;
  end loop;
  return null;
end $$;
create trigger count_auth_epoch after insert or update or delete on grants for each row execute function count_auth_epoch();
create trigger count_auth_epoch after insert or delete or update of revoked_at, scopes, expires_at, user_id on api_keys
  for each row execute function count_auth_epoch();
create trigger count_auth_epoch after update of status on users for each row execute function count_auth_epoch();

create function count_archival() returns trigger language plpgsql as $$
begin
  perform lock_epochs(new.id);
  new.auth_epoch := new.auth_epoch + 1;
  return new;
end $$;
create trigger count_archival before update of status on workspaces for each row
  when (old.status is distinct from new.status) execute function count_archival();

create table audit_entries (
  id text not null,
  organization_id text not null,
  workspace_id text,
  action text not null,
  outcome text not null check (outcome in ('succeeded', 'denied', 'failed')),
  actor_type text not null check (actor_type in ('user', 'api_key', 'system', 'operator')),
  actor_id text,
  actor_label text not null,
  target_type text,
  target_id text,
  channel text not null check (channel in ('api', 'dashboard', 'sftp', 'cli')),
  ip text,
  user_agent text,
  request_id text,
  data jsonb not null default '{}',
  recorded_at timestamptz not null default clock_timestamp(),
  xid xid8 not null default pg_current_xact_id(),
  primary key (id)
);
create index on audit_entries (workspace_id, recorded_at desc, id);
create index on audit_entries (workspace_id, target_id);
alter table audit_entries enable row level security;
create policy tenant on audit_entries to lastro_app
  using (organization_id = current_setting('app.organization_id', true)
    and (workspace_id is null or workspace_id = current_setting('app.workspace_id', true)))
  with check (organization_id = current_setting('app.organization_id', true)
    and (workspace_id is null or workspace_id = current_setting('app.workspace_id', true)));
create policy system on audit_entries to lastro_system using (true) with check (true);
grant select, insert on audit_entries to lastro_app, lastro_system;
create trigger append_only before update or delete on audit_entries for each row execute function refuse_change();
create trigger append_only_truncate before truncate on audit_entries execute function refuse_change();

-- The outbox: what happened, committed with the change; webhooks and notifications are made of it.
create table events (
  id text primary key,
  organization_id text not null,
  workspace_id text,
  type text not null,
  resource_type text not null,
  resource_id text not null,
  -- Per resource, without gaps, in the order of its changes.
  sequence integer not null,
  payload jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  dispatched_at timestamptz,
  unique (resource_id, sequence)
);
create index on events (created_at) where dispatched_at is null;
create index on events (workspace_id, id);
alter table events enable row level security;
create policy tenant on events to lastro_app
  using (organization_id = current_setting('app.organization_id', true)
    and (workspace_id is null or workspace_id = current_setting('app.workspace_id', true)))
  with check (organization_id = current_setting('app.organization_id', true)
    and (workspace_id is null or workspace_id = current_setting('app.workspace_id', true)));
create policy system on events to lastro_system using (true) with check (true);
grant select, insert on events to lastro_app;
grant select, insert, update, delete on events to lastro_system;

create table idempotency_keys (
  organization_id text not null,
  workspace_id text not null,
  route text not null,
  key text not null,
  body_hash text not null,
  status integer,
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (workspace_id, route, key)
);
create index on idempotency_keys (created_at);
select isolate_by_workspace('idempotency_keys');
