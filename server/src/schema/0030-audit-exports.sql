create index audit_checkpoints_by_time on audit_checkpoints (tree, at);

-- Exports of the trail: files of all leaves of a tree between two checkpoints, which are removed after some time.
create table audit_exports (
  id text primary key,
  organization_id text not null,
  workspace_id text,
  format text not null check (format in ('ndjson', 'csv')),
  from_at timestamptz,
  to_at timestamptz,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed')),
  -- The leaves it has: from first_index to before end_index. Known once it runs.
  first_index bigint,
  end_index bigint,
  written bigint not null default 0,
  entries_key text,
  entries_bytes bigint,
  entries_sha256 text,
  manifest_key text,
  manifest_bytes bigint,
  manifest_sha256 text,
  failure jsonb,
  created_by text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id)
);
create index on audit_exports (workspace_id, id);
create index on audit_exports (organization_id, id) where workspace_id is null;
select isolate_by_scope('audit_exports');
grant select, insert, update on audit_exports to lastro_app;
grant select, insert, update, delete on audit_exports to lastro_system;

-- Leaves are written in about the order of their moments.
create index audit_leaves_by_time on audit_leaves using brin (recorded_at);

-- Drops the entries of a month that ended more than `days` days ago, at least 90, and has a tombstone of every leaf. This, and
-- nothing else, takes entries away. Waits for nobody long.
create function drop_audit_month(month timestamptz, days integer) returns void
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' set timezone = 'UTC' as $$
declare
  until constant timestamptz := month + interval '1 month';
  name constant text := 'entries_' || to_char(month, 'YYYY_MM');
begin
  if month <> date_trunc('month', month) or days < 90 or until > now() - make_interval(days => days) then
    raise exception 'entries of % are kept', name using errcode = '42501';
  end if;
  if exists (select from audit_leaves l where l.recorded_at >= month and l.recorded_at < until and not exists
      (select from audit_tombstones t where t.tree = l.tree and l.leaf_index between t.first_index and t.last_index))
    or exists (select from audit.unsealed u where u.recorded_at >= month and u.recorded_at < until) then
    raise exception 'entries of % have no tombstone', name using errcode = '42501';
  end if;
  execute format('alter table audit_entries detach partition audit.%I', name);
  execute format('drop table audit.%I', name);
end $$;
revoke execute on function drop_audit_month from public;
grant execute on function drop_audit_month to lastro_system;
