-- Versions of the graph model: the operator's, the same for everyone, with nothing of any customer in them.
-- Whoever makes them has a role that sees nothing else.
do $$
begin
  perform pg_advisory_xact_lock(hashtext('lastro roles'));
  if not exists (select from pg_roles where rolname = 'lastro_gfm') then create role lastro_gfm nologin; end if;
  execute format('grant lastro_gfm to %I', current_user);
end $$;
grant usage on schema public to lastro_gfm;

create table gfm_versions (
  id text primary key,
  name text not null unique,
  model_snapshot text not null unique,
  generated_at timestamptz not null,
  is_synthetic boolean not null,
  -- SHA-256 of each file of its folder, which lies under storage_prefix.
  files jsonb not null,
  storage_prefix text not null,
  released_at timestamptz not null default now(),
  -- When every workspace had been told.
  announced_at timestamptz
);
alter table gfm_versions enable row level security;
create policy gfm on gfm_versions to lastro_gfm using (true) with check (true);
create policy system on gfm_versions to lastro_system using (true) with check (true);
create policy tenant on gfm_versions for select to lastro_app using (true);
grant select, insert on gfm_versions to lastro_gfm;
grant select, update (announced_at) on gfm_versions to lastro_system;
grant select on gfm_versions to lastro_app;

-- The version that the workspace has chosen to read; none at first.
alter table workspaces add column gfm_version_id text references gfm_versions;
