-- Sign-in by an organization's own identity provider, for people whose addresses are in domains that it has proved to own.
create table domains (
  id text primary key,
  organization_id text not null references organizations,
  -- In lower case, without a dot at the end.
  domain text not null,
  -- What the organization puts into the DNS; it is no secret.
  challenge text not null,
  created_by text references users,
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  unique (organization_id, domain)
);
create unique index verified_domains on domains (domain) where verified_at is not null;
select isolate_by_organization('domains');

create table sso_connections (
  id text primary key,
  organization_id text not null references organizations,
  kind text not null check (kind in ('oidc', 'saml')),
  name text not null,
  status text not null default 'inactive' check (status in ('inactive', 'active')),
  -- What the identity provider calls itself: issuer (OIDC) or entity id (SAML).
  issuer text not null,
  -- OIDC: client_id. SAML: sso_url, certificates, and that by which the provider may encrypt.
  settings jsonb not null,
  -- Of OIDC. Sealed.
  client_secret text,
  -- Of SAML: what opens assertions that the provider encrypts. Sealed.
  decryption_key text,
  -- What people become who sign in for the first time, and where: without a workspace, in the whole organization.
  default_role text not null check (default_role in ('developer', 'analyst', 'billing_manager', 'auditor', 'member')),
  default_workspace_id text,
  created_by text references users,
  created_at timestamptz not null default now(),
  unique (organization_id, id),
  foreign key (organization_id, default_workspace_id) references workspaces (organization_id, id),
  check ((kind = 'oidc') = (client_secret is not null)),
  check ((kind = 'saml') = (decryption_key is not null))
);
select isolate_by_organization('sso_connections');

-- Who somebody is by the word of an identity provider: never known by the address, which may change hands.
create table sso_identities (
  connection_id text not null references sso_connections on delete cascade,
  subject text not null,
  user_id text not null references users,
  created_at timestamptz not null default now(),
  primary key (connection_id, subject)
);
create index on sso_identities (user_id);
select keep_for_system('sso_identities');

-- Assertions that were taken: none is taken twice.
create table saml_assertions (
  connection_id text not null references sso_connections on delete cascade,
  assertion_id text not null,
  expires_at timestamptz not null,
  primary key (connection_id, assertion_id)
);
create index on saml_assertions (expires_at);
select keep_for_system('saml_assertions');

alter table one_time_tokens drop constraint one_time_tokens_purpose_check;
alter table one_time_tokens add constraint one_time_tokens_purpose_check
  check (purpose in ('sign_up', 'email_change', 'password_reset', 'sign_in',
    'passkey_registration', 'passkey_sign_in', 'passkey_reauthentication', 'sso_state', 'sso_ticket'));

alter table sessions drop constraint sessions_method_check;
alter table sessions add constraint sessions_method_check
  check (method in ('password', 'password_totp', 'password_recovery_code', 'link', 'passkey', 'oidc', 'saml'));
alter table sessions add column sso_connection_id text references sso_connections on delete set null;
-- When the user last proved who they are by what the account itself has, such as its password.
alter table sessions add column account_authenticated_at timestamptz;
update sessions set account_authenticated_at = authenticated_at;

-- Sessions that came through a connection end with it.
create function end_sso_sessions() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update sessions set ended_at = now(), ended_reason = 'connection_ended'
    where sso_connection_id = old.id and ended_at is null;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger end_sso_sessions before delete on sso_connections for each row execute function end_sso_sessions();
create trigger end_sso_sessions_of_inactive before update of status on sso_connections for each row
  when (old.status = 'active' and new.status = 'inactive') execute function end_sso_sessions();

-- Keys are recognised from memory, and people who sign in through a connection count as having a second factor.
create trigger count_auth_epoch after delete or update of status on sso_connections
  for each row execute function count_auth_epoch();

-- What the operator switches off ends, and keeps nobody from signing in otherwise.
create function end_single_sign_on() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update sso_connections set status = 'inactive' where organization_id = new.id and status = 'active';
  update organizations set single_sign_on = 'optional' where id = new.id and single_sign_on = 'required';
  return null;
end $$;
create trigger end_single_sign_on after update of features on organizations for each row
  when (old.features @> array['sso'] and not new.features @> array['sso']) execute function end_single_sign_on();

-- A device on which a user has signed in through a connection alone has seen no proof of the account itself.
alter table devices add column is_proved boolean not null default true;

-- Whoever is no Creator any more has nobody come in whom they invited.
create function end_invitations() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update invitations set revoked_at = now()
    where organization_id = old.organization_id and invited_by = old.user_id
      and (old.workspace_id is null or workspace_id = old.workspace_id)
      and accepted_at is null and revoked_at is null;
  return null;
end $$;
create trigger end_invitations after delete on grants for each row when (old.role = 'creator')
  execute function end_invitations();
create trigger end_invitations_of_role after update of role on grants for each row
  when (old.role = 'creator' and new.role <> 'creator') execute function end_invitations();

-- Whether members must sign in through a connection to act in the organization and its workspaces.
alter table organizations add column single_sign_on text not null default 'optional'
  check (single_sign_on in ('optional', 'required'));
grant update (single_sign_on) on organizations to lastro_app;
create trigger count_auth_epochs_of_single_sign_on after update of single_sign_on on organizations for each row
  when (old.single_sign_on is distinct from new.single_sign_on) execute function count_auth_epochs_of_organization();

-- Who signs in with password and second factor when the identity provider does not answer.
create table break_glass_admins (
  organization_id text not null references organizations,
  user_id text not null references users,
  created_by text references users,
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index on break_glass_admins (user_id);
select isolate_by_organization('break_glass_admins');

-- Whether a user could sign in that way now.
create function is_ready_break_glass(organization text, person text) returns boolean language sql stable
  security definer set search_path = public, pg_temp as $$
  select exists (
    select from break_glass_admins as b
      join users as u on u.id = b.user_id and u.status = 'active' and u.email_verified_at is not null
      join grants as g on g.user_id = b.user_id and g.organization_id = b.organization_id
        and g.workspace_id is null and g.role = 'creator'
      join password_credentials as p on p.user_id = b.user_id
      join totp_credentials as t on t.user_id = b.user_id and t.confirmed_at is not null
      where b.organization_id = organization and b.user_id = person)
$$;

-- Who is no Creator of the whole organization any more is none of its break-glass admins.
create function end_break_glass() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from break_glass_admins where organization_id = old.organization_id and user_id = old.user_id;
  return null;
end $$;
create trigger end_break_glass after update or delete on grants for each row
  when (old.workspace_id is null and old.role = 'creator') execute function end_break_glass();

-- An organization with an active connection keeps a break-glass admin who could sign in. Checked as `keep_creator` is.
create function keep_break_glass(organization text) returns void language plpgsql as $$
begin
  perform from organizations where id = organization for update;
  if exists (select from sso_connections where organization_id = organization and status = 'active')
    and not exists (select from break_glass_admins as b
      where b.organization_id = organization and is_ready_break_glass(organization, b.user_id))
  then
    raise exception 'single sign-on keeps a break-glass admin' using errcode = '23514', constraint = 'break_glass_required';
  end if;
end $$;
create function keep_break_glass_of_organization() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  perform keep_break_glass(coalesce(to_jsonb(new), to_jsonb(old)) ->> 'organization_id');
  return null;
end $$;
create constraint trigger keep_break_glass after insert or update of status on sso_connections
  deferrable initially deferred
  for each row when (new.status = 'active') execute function keep_break_glass_of_organization();
create constraint trigger keep_break_glass after delete on break_glass_admins deferrable initially deferred
  for each row execute function keep_break_glass_of_organization();
create constraint trigger keep_break_glass after update or delete on grants deferrable initially deferred
  for each row when (old.workspace_id is null and old.role = 'creator') execute function keep_break_glass_of_organization();
create function keep_break_glass_of_user() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  person constant text := case tg_table_name when 'users' then to_jsonb(old) ->> 'id' else to_jsonb(old) ->> 'user_id' end;
  one text;
begin
  for one in select organization_id from break_glass_admins where user_id = person order by organization_id loop
    perform keep_break_glass(one);
  end loop;
  return null;
end $$;
create constraint trigger keep_break_glass after update or delete on totp_credentials deferrable initially deferred
  for each row when (old.confirmed_at is not null) execute function keep_break_glass_of_user();
create constraint trigger keep_break_glass after delete on password_credentials deferrable initially deferred
  for each row execute function keep_break_glass_of_user();
create constraint trigger keep_break_glass after update of status, email_verified_at on users
  deferrable initially deferred
  for each row when (old.status is distinct from new.status or old.email_verified_at is distinct from new.email_verified_at)
  execute function keep_break_glass_of_user();
