-- So much waits for an address that what happens meanwhile is left out.
alter table webhook_lanes add column is_full boolean not null default false;
