-- What a user proves beside the password: a code of an app, or one of the codes that were given out for when it is lost.
create table totp_credentials (
  user_id text primary key references users,
  -- Sealed.
  secret text not null,
  created_at timestamptz not null default now(),
  -- Until then it is asked for nowhere.
  confirmed_at timestamptz,
  -- The newest time step of which a code was taken: no code is taken twice.
  last_step bigint
);
select keep_for_system('totp_credentials');

create table recovery_codes (
  user_id text not null references users,
  code_hash text not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);
select keep_for_system('recovery_codes');

-- Somebody who has given the right password, and not yet the code.
create table sign_in_challenges (
  token_hash text primary key,
  user_id text not null references users,
  expires_at timestamptz not null
);
create index on sign_in_challenges (expires_at);
select keep_for_system('sign_in_challenges');

alter table sessions drop constraint sessions_method_check;
alter table sessions add constraint sessions_method_check
  check (method in ('password', 'password_totp', 'password_recovery_code', 'link'));

-- Whether members need a second factor to act in the organization and its workspaces.
alter table organizations add column second_factor text not null default 'optional'
  check (second_factor in ('optional', 'required'));
create function count_auth_epochs_of_organization() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  one text;
begin
  for one in select id from workspaces where organization_id = new.id order by id loop
    perform lock_epochs(one);
    update workspaces set auth_epoch = auth_epoch + 1 where id = one;
  end loop;
  return null;
end $$;
create trigger count_auth_epochs after update of second_factor on organizations for each row
  when (old.second_factor is distinct from new.second_factor) execute function count_auth_epochs_of_organization();
