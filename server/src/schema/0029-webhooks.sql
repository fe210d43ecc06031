-- Addresses of a workspace to which its events are sent, and all that was sent there.
create table webhooks (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  url text not null,
  description text,
  -- Names of types, beginnings of names with a * behind them, or * for all.
  events text[] not null,
  -- Only events about these; null for all.
  resource_ids text[],
  -- Sealed: the values are often tokens.
  headers text,
  header_names text[] not null default '{}',
  -- Most requests a second; null for no limit.
  rate_limit integer check (rate_limit > 0),
  status text not null default 'active' check (status in ('active', 'disabled')),
  disabled_reason text check (disabled_reason in ('requested', 'gone', 'failing')),
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The row stays, for the history of what was sent.
  deleted_at timestamptz,
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  unique (workspace_id, id),
  check ((status = 'disabled') = (disabled_reason is not null))
);
select isolate_by_workspace('webhooks');

create table webhook_secrets (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  webhook_id text not null,
  -- Sealed.
  secret text not null,
  created_at timestamptz not null default now(),
  -- Null for the current one; requests are signed with those before it as well until then.
  expires_at timestamptz,
  foreign key (workspace_id, webhook_id) references webhooks (workspace_id, id)
);
create unique index on webhook_secrets (webhook_id) where expires_at is null;
create index on webhook_secrets (webhook_id);
select isolate_by_workspace('webhook_secrets');

-- How it goes with an address. Apart from it, so that sending locks no row that requests read.
create table webhook_lanes (
  webhook_id text primary key,
  organization_id text not null,
  workspace_id text not null,
  -- Attempts that failed since the last one that succeeded, and since when.
  failures_in_row integer not null default 0,
  failing_since timestamptz,
  last_failed_at timestamptz,
  -- Nothing is sent before; from then on one delivery at a time, to see whether it answers again. Null when it does.
  paused_until timestamptz,
  -- How often it was tried in vain since it was paused.
  probes integer not null default 0,
  -- When the next request may be sent, where there is a limit.
  next_at timestamptz,
  foreign key (workspace_id, webhook_id) references webhooks (workspace_id, id)
) with (fillfactor = 70);
select isolate_by_workspace('webhook_lanes');

-- What is sent of an event: its bytes, the same for all addresses and every attempt.
create table webhook_payloads (
  event_id text primary key,
  organization_id text not null,
  workspace_id text not null,
  body text not null,
  created_at timestamptz not null default now()
);
create index on webhook_payloads (created_at);
select isolate_by_workspace('webhook_payloads');

create table webhook_deliveries (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  webhook_id text not null,
  -- One for an event and an address, however often it is sent.
  message_id text not null,
  event_id text not null,
  event_type text not null,
  trigger text not null check (trigger in ('auto', 'manual', 'recover', 'test')),
  replay_of text,
  recovery_id text,
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'skipped', 'canceled')),
  -- Attempts that began.
  attempts integer not null default 0,
  -- Attempts that failed: how far it is in the schedule.
  failures integer not null default 0,
  -- When the next attempt may begin.
  run_at timestamptz not null default now(),
  -- Of the attempt under way. Whoever lost it to another process has another id, and changes nothing any more.
  claim_id uuid,
  claimed_at timestamptz,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  foreign key (workspace_id, webhook_id) references webhooks (workspace_id, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
create unique index webhook_deliveries_once on webhook_deliveries (event_id, webhook_id) where trigger = 'auto';
create index webhook_deliveries_lane on webhook_deliveries (webhook_id, run_at, id) where status = 'queued' and trigger <> 'test';
create index webhook_deliveries_test on webhook_deliveries (run_at) where status = 'queued' and trigger = 'test';
create index webhook_deliveries_lease on webhook_deliveries (lease_until) where status = 'running';
create index on webhook_deliveries (webhook_id, id);
create index on webhook_deliveries (message_id);
create index on webhook_deliveries using brin (created_at);
select isolate_by_workspace('webhook_deliveries');

create table webhook_attempts (
  delivery_id text not null,
  number integer not null,
  organization_id text not null,
  workspace_id text not null,
  webhook_id text not null,
  trigger text not null,
  started_at timestamptz not null,
  finished_at timestamptz not null default now(),
  succeeded boolean not null,
  url text not null,
  remote_ip text,
  -- Since the attempt began; null for what did not happen.
  dns_ms real,
  connect_ms real,
  tls_ms real,
  first_byte_ms real,
  total_ms real not null,
  status_code integer,
  error_class text,
  error text,
  response_headers jsonb,
  -- The beginning of it.
  response_body text,
  primary key (delivery_id, number)
);
create index on webhook_attempts (webhook_id, finished_at);
select isolate_by_workspace('webhook_attempts');

-- Sending again all that failed since a time, piece by piece.
create table webhook_recoveries (
  id text primary key,
  organization_id text not null,
  workspace_id text not null,
  webhook_id text not null,
  since timestamptz not null,
  until timestamptz not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed')),
  -- Deliveries to be sent again, as counted when it was asked for.
  total integer not null,
  queued integer not null default 0,
  -- Left out: their bytes are no longer kept.
  expired integer not null default 0,
  -- The last delivery that was looked at.
  cursor text not null default '',
  failure jsonb,
  created_at timestamptz not null default now(),
  moved_at timestamptz not null default now(),
  finished_at timestamptz,
  foreign key (workspace_id, webhook_id) references webhooks (workspace_id, id)
);
create unique index on webhook_recoveries (webhook_id) where status in ('queued', 'running');
create index on webhook_recoveries (moved_at) where status in ('queued', 'running');
create index on webhook_recoveries (webhook_id, id);
select isolate_by_workspace('webhook_recoveries');
