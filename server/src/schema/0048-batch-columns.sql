-- The columns of a batch's files that inputs are read from, by input, where they are not called as these are.
alter table batches add column column_mapping jsonb not null default '{}';
