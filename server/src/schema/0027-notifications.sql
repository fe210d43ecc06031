-- What people are told of what happens, in the app and by mail.

-- What a user wants to be told in a workspace or, without one, of an organization as a whole. What is not said here
-- follows from the defaults of the place, and those from the defaults of the product.
create table notification_preferences (
  organization_id text not null references organizations,
  workspace_id text,
  user_id text not null references users,
  type text not null,
  channel text not null check (channel in ('email', 'in_app')),
  is_on boolean not null,
  changed_at timestamptz not null default now(),
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  unique nulls not distinct (organization_id, workspace_id, user_id, type, channel)
);
select isolate_by_scope('notification_preferences');
grant select, insert, update, delete on notification_preferences to lastro_app, lastro_system;

create table notification_defaults (
  organization_id text not null references organizations,
  workspace_id text,
  type text not null,
  channel text not null check (channel in ('email', 'in_app')),
  is_on boolean not null,
  changed_at timestamptz not null default now(),
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  unique nulls not distinct (organization_id, workspace_id, type, channel)
);
select isolate_by_scope('notification_defaults');
grant select, insert, update, delete on notification_defaults to lastro_app, lastro_system;

-- How mails gather for a user in a place.
create table notification_settings (
  organization_id text not null references organizations,
  workspace_id text,
  user_id text not null references users,
  mail_window text not null check (mail_window in ('none', '15m', '1h', 'daily')),
  -- In which a day's mail goes out in the morning; null for the workspace's.
  time_zone text,
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  unique nulls not distinct (organization_id, workspace_id, user_id)
);
select isolate_by_scope('notification_settings');
grant select, insert, update, delete on notification_settings to lastro_app, lastro_system;

create table notifications (
  id text primary key,
  -- In the order in which they were committed: one process at a time adds some.
  position bigint generated always as identity unique,
  organization_id text not null references organizations,
  -- Without a workspace, of the organization as a whole or of the user's account.
  workspace_id text,
  user_id text not null references users,
  event_id text not null,
  -- What is told once, though an event may be read twice.
  dedupe_key text not null unique,
  type text not null,
  title text not null,
  body text not null,
  -- A path of the app.
  link text,
  -- Whether the inbox has it; what is told by mail alone is in none.
  in_app boolean not null,
  -- The mail that tells it.
  mail_id text,
  created_at timestamptz not null default now(),
  seen_at timestamptz,
  read_at timestamptz,
  archived_at timestamptz,
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id)
);
create index on notifications (user_id, workspace_id, position) where in_app;
create index unread_notifications on notifications (user_id, workspace_id, type)
  where in_app and read_at is null and archived_at is null;
create index unseen_notifications on notifications (user_id, workspace_id, type)
  where in_app and seen_at is null and archived_at is null;
create index on notifications (mail_id) where mail_id is not null;
create index on notifications (created_at);
alter table notifications enable row level security;
create policy tenant on notifications to lastro_app
  using (organization_id = current_setting('app.organization_id', true)
    and (workspace_id is null or workspace_id = current_setting('app.workspace_id', true)));
create policy system on notifications to lastro_system using (true) with check (true);
grant select on notifications to lastro_app;
grant update (seen_at, read_at, archived_at) on notifications to lastro_app;
grant select, insert, update, delete on notifications to lastro_system;

-- Mails that tell of notifications: of one, or of all that gathered until it was due.
create table notification_mails (
  id text primary key,
  organization_id text not null references organizations,
  workspace_id text,
  user_id text not null references users,
  is_digest boolean not null,
  -- Whether more may still be added to it.
  is_open boolean not null,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed', 'suppressed', 'dropped')),
  due_at timestamptz not null,
  attempts integer not null default 0,
  -- Whoever sends it has it until then. The claim tells one who was too slow from who has it now.
  leased_until timestamptz,
  claim text,
  failure text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id)
);
create unique index open_digests on notification_mails (organization_id, workspace_id, user_id) nulls not distinct
  where is_open;
create index waiting_notification_mails on notification_mails (due_at) where status = 'waiting';
create index on notification_mails (user_id, created_at);
create index on notification_mails (created_at);
select isolate_by_scope('notification_mails');
grant select on notification_mails to lastro_app;
grant select, insert, update, delete on notification_mails to lastro_system;

-- Addresses that a mail server refused for good: no notification is sent there until its user takes it off.
create table mail_suppressions (
  id text primary key,
  user_id text not null references users,
  email text not null,
  reason text not null,
  created_at timestamptz not null default now(),
  unique (user_id, email)
);
select keep_for_system('mail_suppressions');
