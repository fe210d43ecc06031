-- What a task asks, in words of both languages; null where its definition can no longer be read. Workers say those of
-- tasks that were defined before, as they write down queries.
alter table tasks add column question jsonb;
update tasks set query_known = false;
