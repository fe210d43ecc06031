-- Of the batches that are made of what a user of SFTP puts in.
alter table sftp_users add column priority integer not null default 0 check (priority between -10 and 10);
