-- Watch lists: entities whose answers by an alias are followed, and told of when they move.
create table watch_lists (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  name text not null,
  model_id text not null,
  alias text not null,
  -- The table of the entities, and whether their keys say who people are.
  entity_table text not null,
  is_personal boolean not null,
  -- {difference} or {share}; null: a move is from one band, or class, to another.
  threshold jsonb,
  -- Of the newest rescoring of all entries; null before the first.
  version_id text,
  snapshot_id text,
  as_of timestamptz,
  -- The field of answers that is followed.
  field text,
  -- Counts rescorings that were begun: only the last one may end.
  attempt integer not null default 0,
  -- Until then a job is at it, or it has failed lately.
  rest_until timestamptz not null default now(),
  failure jsonb,
  created_by text not null,
  created_at timestamptz not null default now(),
  foreign key (workspace_id, model_id) references models (workspace_id, id) on delete cascade,
  unique (workspace_id, id)
);
select isolate_by_workspace('watch_lists');

create table watch_list_entries (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  list_id text not null,
  key text not null,
  -- unknown: not in the data; refused: no key of the table.
  status text not null default 'waiting' check (status in ('waiting', 'scored', 'unknown', 'refused')),
  as_of timestamptz,
  score double precision,
  band text,
  -- What was told of it last, or what it was scored as first.
  told_score double precision,
  told_band text,
  told_at timestamptz,
  -- Scores that differ from the one before, the newest ones, oldest first: [{at, score, band}].
  history jsonb not null default '[]',
  created_at timestamptz not null default now(),
  foreign key (workspace_id, list_id) references watch_lists (workspace_id, id) on delete cascade,
  unique (list_id, key),
  unique (workspace_id, id)
);
create index on watch_list_entries (list_id, id);
create index on watch_list_entries (list_id) where status = 'waiting';
create index on watch_list_entries (workspace_id, key);
select isolate_by_workspace('watch_list_entries');

create table watch_list_moves (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  list_id text not null,
  entry_id text not null,
  -- The moment of the rescoring that found it.
  at timestamptz not null,
  from_score double precision not null,
  from_band text,
  to_score double precision not null,
  to_band text,
  because text not null check (because in ('data', 'time', 'version')),
  -- By whom it was scored before, and now.
  from_version_id text not null,
  version_id text not null,
  snapshot_id text not null,
  foreign key (workspace_id, entry_id) references watch_list_entries (workspace_id, id) on delete cascade,
  unique (workspace_id, id)
);
create index on watch_list_moves (list_id, id);
create index on watch_list_moves (entry_id, id);
select isolate_by_workspace('watch_list_moves');
