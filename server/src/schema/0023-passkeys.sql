-- Keys by which people sign in that their devices hold (WebAuthn), in place of password and second factor together.
create table passkeys (
  id text primary key,
  user_id text not null references users,
  -- By which the device knows it, in base64url.
  credential_id text not null unique,
  -- Of COSE (RFC 9052).
  public_key bytea not null,
  -- How often the device says that it has signed; always 0 of devices that do not count.
  counter bigint not null check (counter >= 0),
  -- How browsers reach the device.
  transports text[] not null,
  -- Whether the device may copy it to others of its owner, and whether it has.
  backup_eligible boolean not null,
  backed_up boolean not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index on passkeys (user_id);
select keep_for_system('passkeys');

alter table sessions drop constraint sessions_method_check;
alter table sessions add constraint sessions_method_check
  check (method in ('password', 'password_totp', 'password_recovery_code', 'link', 'passkey'));

alter table one_time_tokens drop constraint one_time_tokens_purpose_check;
alter table one_time_tokens add constraint one_time_tokens_purpose_check
  check (purpose in ('sign_up', 'email_change', 'password_reset', 'sign_in',
    'passkey_registration', 'passkey_sign_in', 'passkey_reauthentication'));
