-- What came of predictions: the value of an output of the answer, as it was observed, or as the tables tell it.
create table outcomes (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  prediction_id text not null,
  model_id text not null,
  version_id text not null,
  -- The field of the answer that it is of.
  output text not null,
  -- 0 or 1, a number, or the name of a class.
  value jsonb not null,
  observed_at timestamptz not null,
  -- When the window of the prediction closes; null where the task says none.
  closes_at timestamptz,
  -- Whether nothing can change it any more: its window had closed, or it had happened.
  is_decided boolean not null,
  source text not null check (source in ('api', 'tables')),
  revision integer not null default 1,
  -- What it was before, the oldest first: [{value, observed_at, source, recorded_by, recorded_at}].
  corrections jsonb not null default '[]',
  recorded_by text not null,
  recorded_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (prediction_id, output),
  unique (workspace_id, id)
);
create index on outcomes (workspace_id, id);
create index on outcomes (workspace_id, version_id, output, prediction_id);
select isolate_by_workspace('outcomes');
