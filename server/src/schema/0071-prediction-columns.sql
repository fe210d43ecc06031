-- Days of the log of predictions as columns in storage, a Parquet object for each model: what replays a log reads no JSON.
create table prediction_columns (
  organization_id text not null,
  workspace_id text not null,
  -- Of UTC, by the moments in the ids. All models that answered on a day come and go together.
  day date not null,
  model_id text not null,
  storage_key text not null,
  -- Null while it is being written.
  sha256 text,
  rows integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (workspace_id, day, model_id)
);
select isolate_by_workspace('prediction_columns');
