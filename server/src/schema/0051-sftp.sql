-- Who signs in to the transport by SFTP, with what, and the files that came by it.
create table sftp_users (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  -- As whom they act.
  user_id text not null references users,
  name text not null,
  -- What clients sign in as.
  login text not null unique,
  -- Of a password that the service made; null without one.
  password_hash text,
  password_hint text,
  -- Type and key, as in authorized_keys.
  public_keys text[] not null default '{}',
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  last_used_ip text,
  revoked_at timestamptz,
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  unique (workspace_id, id),
  check ((password_hash is null) = (password_hint is null)),
  check (password_hash is not null or public_keys <> '{}')
);
create index on sftp_users (workspace_id);
create index on sftp_users (user_id);
select isolate_by_workspace('sftp_users');
create trigger count_auth_epoch after insert or delete or update of revoked_at, user_id on sftp_users
  for each row execute function count_auth_epoch();

create table sftp_files (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  sftp_user_id text not null,
  -- In batch/in.
  name text not null,
  -- incomplete: the line dropped before the end. held: whole, under a name of what is not finished. received: whole, to be
  -- looked at. accepted: a batch was made of it. refused: none was.
  status text not null check (status in ('incomplete', 'held', 'received', 'accepted', 'refused')),
  -- Null for what was too large to be kept.
  storage_key text,
  bytes bigint not null,
  sha256 text,
  -- From 'received' on it is one of the files of the workspace.
  file_id text,
  batch_id text,
  -- Why it was refused, a sentence each.
  problems text[] not null default '{}',
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  -- Removed by the client, or replaced by another file of this name.
  removed_at timestamptz,
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  foreign key (workspace_id, sftp_user_id) references sftp_users (workspace_id, id),
  foreign key (workspace_id, file_id) references files (workspace_id, id),
  unique (workspace_id, id),
  check ((storage_key is null) = (sha256 is null)),
  check ((status = 'accepted') = (batch_id is not null)),
  check ((status in ('accepted', 'refused')) = (settled_at is not null))
);
create unique index on sftp_files (workspace_id, name) where removed_at is null;
create index on sftp_files (workspace_id, name, id);
create index on sftp_files (workspace_id, batch_id) where batch_id is not null;
create index on sftp_files (workspace_id, file_id) where file_id is not null;
select isolate_by_workspace('sftp_files');

-- What the service proves itself with to clients of SFTP. Of the installation: no customer sees them.
create table sftp_host_keys (
  id text primary key,
  -- Sealed.
  private_key text not null,
  fingerprint text not null unique,
  created_at timestamptz not null default now(),
  -- It is shown from then on, until the next one is.
  used_from timestamptz not null
);
alter table sftp_host_keys enable row level security;
create policy system on sftp_host_keys to lastro_system using (true) with check (true);
grant select, insert on sftp_host_keys to lastro_system;

alter table audit_entries
  drop constraint audit_entries_actor_type_check1,
  add constraint audit_entries_actor_type_check check (actor_type in ('user', 'api_key', 'sftp_user', 'system', 'operator'));

-- As before, and logins of SFTP with the keys.
create or replace function end_access() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update sessions set ended_at = now(), ended_reason = 'member_removed'
    where user_id = old.user_id and ended_at is null;
  update api_keys as k set revoked_at = now()
    where k.user_id = old.user_id and k.organization_id = old.organization_id and k.revoked_at is null
      and coalesce(old.workspace_id, k.workspace_id) = k.workspace_id
      and not exists (select from grants as g where g.user_id = k.user_id and g.organization_id = k.organization_id
        and coalesce(g.workspace_id, k.workspace_id) = k.workspace_id);
  update sftp_users as s set revoked_at = now()
    where s.user_id = old.user_id and s.organization_id = old.organization_id and s.revoked_at is null
      and coalesce(old.workspace_id, s.workspace_id) = s.workspace_id
      and not exists (select from grants as g where g.user_id = s.user_id and g.organization_id = s.organization_id
        and coalesce(g.workspace_id, s.workspace_id) = s.workspace_id);
  return null;
end $$;

create or replace function redact_audit_entries(organization text, person text) returns bigint
  language sql security definer set search_path = public, pg_temp as $$
  with redacted as (
    update audit_entries set actor_label = null, ip = null, user_agent = null, salt = null,
      personal = sha256(salt || convert_to('[' || coalesce(to_json(actor_label)::text, 'null')
        || ',' || coalesce(to_json(ip)::text, 'null') || ',' || coalesce(to_json(user_agent)::text, 'null') || ']', 'UTF8'))
    where organization_id = organization and salt is not null
      and actor_id in (select person union all select id from api_keys where user_id = person
        union all select id from sftp_users where user_id = person)
    returning 1)
  select count(*) from redacted
$$;
