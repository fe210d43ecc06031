-- The audit trail in partitions of months, sealed into Merkle trees: one of each workspace, and one of each organization for
-- what is done in it as a whole. A tree has the id of its workspace or organization.

-- What requests never touch: the partitions, and the entries that are not sealed yet. lastro_app has no right here.
create schema audit;
grant usage on schema audit to lastro_system;

-- Who acted and from where can be taken out of an entry without breaking its tree: its leaf holds only a hash of them with the
-- salt. An update that does this, and nothing else, is the only one.
create function refuse_audit_change() returns trigger language plpgsql as $$
declare
  personal text[] := array['actor_label', 'ip', 'user_agent', 'salt', 'personal'];
begin
  if tg_op = 'UPDATE' and new.salt is null and new.actor_label is null and new.ip is null and new.user_agent is null
    and new.personal is not null and (old.personal is null or old.personal = new.personal)
    and to_jsonb(old) - personal = to_jsonb(new) - personal then
    return new;
  end if;
  raise exception 'audit_entries is append-only' using errcode = '42501';
end $$;

alter table audit_entries rename to audit_entries_whole;
alter table audit_entries_whole rename constraint audit_entries_pkey to audit_entries_whole_pkey;
create table audit_entries (
  id text not null,
  organization_id text not null,
  workspace_id text,
  action text not null,
  outcome text not null check (outcome in ('succeeded', 'denied', 'failed')),
  actor_type text not null check (actor_type in ('user', 'api_key', 'system', 'operator')),
  actor_id text,
  actor_label text,
  target_type text,
  target_id text,
  channel text not null check (channel in ('api', 'dashboard', 'sftp', 'cli')),
  ip text,
  user_agent text,
  request_id text,
  data jsonb not null default '{}',
  recorded_at timestamptz not null default clock_timestamp(),
  salt bytea default uuid_send(gen_random_uuid()),
  -- The hash of label, address and agent with the salt, kept once they are gone.
  personal bytea,
  check ((salt is null) = (personal is not null)),
  primary key (id, recorded_at)
) partition by range (recorded_at);
create index audit_entries_by_time on audit_entries (workspace_id, recorded_at, id);
create index audit_entries_of_organization on audit_entries (organization_id, recorded_at, id) where workspace_id is null;
create index audit_entries_by_action on audit_entries (workspace_id, action text_pattern_ops, recorded_at);
create index audit_entries_by_actor on audit_entries (workspace_id, actor_id, recorded_at);
create index audit_entries_by_target on audit_entries (workspace_id, target_id, recorded_at);
create index audit_entries_by_request on audit_entries (request_id);
alter table audit_entries enable row level security;
create policy tenant on audit_entries to lastro_app
  using (organization_id = current_setting('app.organization_id', true)
    and (workspace_id is null or workspace_id = current_setting('app.workspace_id', true)))
  with check (organization_id = current_setting('app.organization_id', true)
    and (workspace_id is null or workspace_id = current_setting('app.workspace_id', true)));
create policy system on audit_entries to lastro_system using (true) with check (true);
grant select, insert on audit_entries to lastro_app, lastro_system;
create trigger append_only before update or delete on audit_entries for each row execute function refuse_audit_change();
create trigger append_only_truncate before truncate on audit_entries execute function refuse_change();

-- Entries of months that have no partition yet; there are none while the service runs at least once in three months.
create table audit.entries_other partition of audit_entries default;
create trigger append_only_truncate before truncate on audit.entries_other execute function refuse_change();

-- Makes the partitions of the months from `since` to three months after now, those that are missing. A month of which the
-- default partition has rows stays in it. Waits for nobody long: the next call makes what this one could not.
create function make_audit_months(since timestamptz) returns void
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' set timezone = 'UTC' as $$
declare
  month timestamptz;
  name text;
begin
  perform pg_advisory_xact_lock(hashtext('lastro audit months'));
  for month in select generate_series(date_trunc('month', since), date_trunc('month', now()) + interval '3 months', '1 month') loop
    name := 'entries_' || to_char(month, 'YYYY_MM');
    continue when to_regclass('audit.' || name) is not null
      or exists (select from audit.entries_other where recorded_at >= month and recorded_at < month + interval '1 month');
    execute format('create table audit.%I (like audit_entries including all)', name);
    execute format('create trigger append_only_truncate before truncate on audit.%I execute function refuse_change()', name);
    execute format('alter table audit_entries attach partition audit.%I for values from (%L) to (%L)',
      name, month, month + interval '1 month');
  end loop;
end $$;
revoke execute on function make_audit_months from public;
grant execute on function make_audit_months to lastro_system;

-- Entries that wait to be sealed, in the order in which they were written. What is committed late is still here then.
create table audit.unsealed (
  ordinal bigint generated always as identity primary key,
  tree text not null,
  entry_id text not null,
  recorded_at timestamptz not null
);
grant select, delete on audit.unsealed to lastro_system;

create function queue_for_sealing() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into audit.unsealed (tree, entry_id, recorded_at)
    select coalesce(workspace_id, organization_id), id, recorded_at from written;
  return null;
end $$;
create trigger queue_for_sealing after insert on audit_entries referencing new table as written
  for each statement execute function queue_for_sealing();

select make_audit_months(coalesce((select min(recorded_at) from audit_entries_whole), now()));
insert into audit_entries (id, organization_id, workspace_id, action, outcome, actor_type, actor_id, actor_label, target_type,
    target_id, channel, ip, user_agent, request_id, data, recorded_at)
  select id, organization_id, workspace_id, action, outcome, actor_type, actor_id, actor_label, target_type,
    target_id, channel, ip, user_agent, request_id, data, recorded_at
  from audit_entries_whole order by recorded_at, id;
drop table audit_entries_whole;

-- How far each tree has grown: what adding a leaf takes. All of it follows from the leaves.
create table audit_trees (
  tree text primary key,
  organization_id text not null,
  workspace_id text,
  size bigint not null,
  -- The roots of the perfect subtrees that the tree is made of, in hex, the largest first.
  peaks text[] not null
);
create table audit_leaves (
  tree text not null,
  leaf_index bigint not null,
  entry_id text not null unique,
  recorded_at timestamptz not null,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (tree, leaf_index)
);
-- Every eighth level of the trees above the leaves, from which proofs are made without reading a whole tree.
create table audit_nodes (
  tree text not null,
  level smallint not null,
  position bigint not null,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (tree, level, position)
);
create table audit_checkpoints (
  tree text not null,
  size bigint not null,
  root bytea not null check (octet_length(root) = 32),
  prev_size bigint not null,
  at timestamptz not null,
  key_id text not null,
  -- The signed note, in which all of this stands.
  note text not null,
  primary key (tree, size)
);

-- What was dropped with a month: the leaves `first_index` to `last_index` of a tree, which are kept, have no entries any more.
create table audit_tombstones (
  tree text not null,
  first_index bigint not null,
  last_index bigint not null,
  root bytea not null check (octet_length(root) = 32),
  at timestamptz not null,
  key_id text not null,
  note text not null,
  primary key (tree, first_index)
);

do $$
declare
  name text;
begin
  foreach name in array array['audit_trees', 'audit_leaves', 'audit_nodes', 'audit_checkpoints', 'audit_tombstones'] loop
    execute format('alter table %I enable row level security', name);
    execute format($p$create policy tenant on %I for select to lastro_app
      using (tree = coalesce(nullif(current_setting('app.workspace_id', true), ''),
        current_setting('app.organization_id', true)))$p$, name);
    execute format('create policy system on %I to lastro_system using (true) with check (true)', name);
    execute format('grant select on %I to lastro_app', name);
    execute format('grant select, insert on %I to lastro_system', name);
    continue when name = 'audit_trees';
    execute format('create trigger append_only before update or delete on %I for each row execute function refuse_change()', name);
    execute format('create trigger append_only_truncate before truncate on %I execute function refuse_change()', name);
  end loop;
end $$;
grant update (size, peaks) on audit_trees to lastro_system;
