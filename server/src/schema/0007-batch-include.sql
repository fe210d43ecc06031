-- What every row of a batch comes with besides its answer: interval.
alter table batches add column include text[] not null default '{}';
