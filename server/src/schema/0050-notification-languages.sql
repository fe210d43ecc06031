-- What a notification says in both languages; null of those that were told before, which say it in their reader's alone.
alter table notifications add column said jsonb;
