-- People: how they prove who they are, on which devices, and in which sessions. None of it is of one organization, so
-- that only lastro_system reads it.
create function keep_for_system(name regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('create policy system on %s to lastro_system using (true) with check (true)', name);
  execute format('grant select, insert, update, delete on %s to lastro_system', name);
end $$;

-- Rows of one scope: a workspace's are seen in it alone, those without one in the organization as a whole alone.
create function isolate_by_scope(name regclass) returns void language plpgsql as $$
declare
  here constant text := $p$organization_id = current_setting('app.organization_id', true)
    and workspace_id is not distinct from nullif(current_setting('app.workspace_id', true), '')$p$;
begin
  execute format('alter table %s enable row level security', name);
  execute format('create policy tenant on %s to lastro_app using (%s) with check (%s)', name, here, here);
  execute format('create policy system on %s to lastro_system using (true) with check (true)', name);
end $$;

alter table users add column email_verified_at timestamptz;
alter table users add column language text not null default 'en' check (language in ('en', 'pt-BR'));
alter table users drop constraint users_status_check;
alter table users add constraint users_status_check check (status in ('active', 'suspended', 'deleted'));

create table password_credentials (
  user_id text primary key references users,
  -- Argon2id, in the PHC format: algorithm, costs, salt and hash.
  phc text not null,
  changed_at timestamptz not null default now()
);
select keep_for_system('password_credentials');

-- Browsers in which a user has signed in, known by a cookie.
create table devices (
  id text primary key,
  user_id text not null references users,
  token_hash text not null unique,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);
create index on devices (user_id);
select keep_for_system('devices');

create table sessions (
  id text primary key,
  user_id text not null references users,
  device_id text not null references devices,
  token_hash text not null unique,
  method text not null check (method in ('password', 'link')),
  ip text,
  user_agent text,
  created_at timestamptz not null default now(),
  -- When the user last proved who they are.
  authenticated_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_reason text,
  check ((ended_at is null) = (ended_reason is null))
);
create index on sessions (user_id);
select keep_for_system('sessions');

-- What a mail or an answer gives out to be brought back once: only the hash of it is kept.
create table one_time_tokens (
  token_hash text primary key,
  purpose text not null check (purpose in ('sign_up', 'email_change', 'password_reset', 'sign_in')),
  -- Whose it is: a newer one of the same purpose and subject replaces it.
  subject text not null,
  user_id text references users,
  -- Sealed; null without any.
  data text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (purpose, subject)
);
create index on one_time_tokens (expires_at);
select keep_for_system('one_time_tokens');

-- Attempts that have not succeeded, of an account, a network or a device.
create table attempts (
  bucket text primary key,
  count integer not null default 1,
  last_at timestamptz not null default now()
);
create index on attempts (last_at);
select keep_for_system('attempts');

-- Who came, went and changed role, for as long as the organization is here.
create table membership_events (
  id text primary key,
  organization_id text not null references organizations,
  workspace_id text,
  kind text not null check (kind in (
    'invited', 'invitation_resent', 'invitation_revoked', 'joined', 'role_changed', 'removed', 'left')),
  user_id text,
  email text not null,
  old_role text,
  new_role text,
  actor_type text not null,
  actor_id text,
  actor_label text not null,
  recorded_at timestamptz not null default clock_timestamp(),
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id)
);
create index on membership_events (organization_id, id);
alter table membership_events enable row level security;
create policy tenant on membership_events to lastro_app
  using (organization_id = current_setting('app.organization_id', true)
    and (workspace_id is null or workspace_id = current_setting('app.workspace_id', true)))
  with check (organization_id = current_setting('app.organization_id', true)
    and (workspace_id is null or workspace_id = current_setting('app.workspace_id', true)));
create policy system on membership_events to lastro_system using (true) with check (true);
grant select, insert on membership_events to lastro_app, lastro_system;
create trigger append_only before update or delete on membership_events for each row execute function refuse_change();
create trigger append_only_truncate before truncate on membership_events execute function refuse_change();

create table invitations (
  id text primary key,
  organization_id text not null references organizations,
  -- Without a workspace, to the organization and all its workspaces.
  workspace_id text,
  email text not null,
  email_canonical text not null,
  role text not null check (role in ('creator', 'developer', 'analyst', 'billing_manager', 'auditor', 'member')),
  token_hash text not null unique,
  invited_by text references users,
  created_at timestamptz not null default now(),
  sent_at timestamptz not null default now(),
  times_sent integer not null default 1,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  check (accepted_at is null or revoked_at is null)
);
create unique index open_invitations on invitations (organization_id, workspace_id, email_canonical) nulls not distinct
  where accepted_at is null and revoked_at is null;
create index on invitations (workspace_id, id);
select isolate_by_scope('invitations');
grant select, insert, update on invitations to lastro_app, lastro_system;

-- A rotated key: its earlier secret is good until then.
alter table api_keys add column previous_secret_hash text unique;
alter table api_keys add column previous_until timestamptz;
alter table api_keys add check ((previous_secret_hash is null) = (previous_until is null));
alter table api_keys add column last_used_at timestamptz;
alter table api_keys add column last_used_ip text;
alter table api_keys add column last_used_agent text;
drop trigger count_auth_epoch on api_keys;
create trigger count_auth_epoch
  after insert or delete or update of revoked_at, scopes, expires_at, user_id, secret_hash, previous_until on api_keys
  for each row execute function count_auth_epoch();

-- Whoever loses a role loses sessions and keys in the same transaction, whoever took it. Security definer: the one who
-- takes a role sees neither sessions nor keys of other workspaces.
create function end_access() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update sessions set ended_at = now(), ended_reason = 'member_removed'
    where user_id = old.user_id and ended_at is null;
  update api_keys as k set revoked_at = now()
    where k.user_id = old.user_id and k.organization_id = old.organization_id and k.revoked_at is null
      and coalesce(old.workspace_id, k.workspace_id) = k.workspace_id
      and not exists (select from grants as g where g.user_id = k.user_id and g.organization_id = k.organization_id
        and coalesce(g.workspace_id, k.workspace_id) = k.workspace_id);
  return null;
end $$;
create trigger end_access after delete on grants for each row execute function end_access();

-- Streams that a session has open go by the epoch of their workspace, and end when it does.
create function count_auth_epoch_of_session() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  one text;
begin
  for one in
    select w.id from workspaces w where exists (
      select from grants g where g.user_id = new.user_id and g.organization_id = w.organization_id
        and coalesce(g.workspace_id, w.id) = w.id)
      order by w.id
  loop
    perform lock_epochs(one);
    update workspaces set auth_epoch = auth_epoch + 1 where id = one;
  end loop;
  return null;
end $$;
create trigger count_auth_epoch after update of ended_at on sessions for each row
  when (old.ended_at is null and new.ended_at is not null) execute function count_auth_epoch_of_session();

-- An organization keeps a Creator of all of it, who is one of each of its workspaces too. Checked at the end of the
-- transaction, and changes of one organization after one another: two Creators cannot take the role from each other.
create function keep_creator(organization text) returns void language plpgsql as $$
begin
  perform from organizations where id = organization for update;
  if not exists (
    select from grants as g join users as u on u.id = g.user_id
      where g.organization_id = organization and g.workspace_id is null and g.role = 'creator' and u.status = 'active')
  then
    raise exception 'an organization keeps a Creator' using errcode = '23514', constraint = 'last_creator';
  end if;
end $$;
create function keep_creator_of_grant() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  perform keep_creator(old.organization_id);
  return null;
end $$;
create constraint trigger keep_creator after update or delete on grants deferrable initially deferred
  for each row when (old.workspace_id is null and old.role = 'creator') execute function keep_creator_of_grant();
create function keep_creator_of_user() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  one text;
begin
  update sessions set ended_at = now(), ended_reason = 'account_' || new.status
    where user_id = new.id and ended_at is null;
  for one in select organization_id from grants
    where user_id = new.id and workspace_id is null and role = 'creator' order by organization_id
  loop
    perform keep_creator(one);
  end loop;
  return null;
end $$;
create constraint trigger keep_creator after update of status on users deferrable initially deferred
  for each row when (old.status = 'active' and new.status <> 'active') execute function keep_creator_of_user();
