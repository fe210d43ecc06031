-- What shaped an answer beside its inputs, so that it can be given again to the byte. Of those made before, it is not
-- known.
alter table predictions
  -- The zone in which its days end, and the language of its sentences.
  add column time_zone text,
  add column language text,
  -- What was asked for besides: names with commas between them.
  add column include text,
  -- The release and the processor that computed it.
  add column engine text,
  -- Of its outputs as canonical JSON (RFC 8785), when they were answered.
  add column outputs_sha256 text;

-- Predictions of the log, or a batch, answered again from what they are pinned to. Results hold no values of rows.
create table replays (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  origin text not null check (origin in ('request', 'self_check')),
  -- What is replayed: {ids}, {from, to, model_id, version_id}, {sample}; or {batch_id}.
  asked jsonb not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed', 'interrupted')),
  -- How many predictions or rows there are; null until they are counted.
  total bigint,
  identical bigint not null default 0,
  different bigint not null default 0,
  -- How many cannot be replayed, by what is gone.
  gone jsonb not null default '{}',
  -- The first of those that differ, by their paths.
  differences jsonb not null default '[]',
  -- The last prediction, or file and unit of the batch, that is in these figures: work goes on after it.
  done_until text,
  failure jsonb,
  attempt integer not null default 0,
  created_by text not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  unique (workspace_id, id)
);
create index on replays (workspace_id, id);
create index on replays (workspace_id) where status in ('queued', 'running');
-- How many differed lately, and when a workspace was last checked.
create index on replays (finished_at) where different > 0;
create index on replays (workspace_id, created_at) where origin = 'self_check';
select isolate_by_workspace('replays');
