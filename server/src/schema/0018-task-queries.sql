-- Reading definitions takes long and is not done for each answer. Of tasks defined before, workers fill it in.
alter table tasks add column query text;
alter table tasks add column query_known boolean not null default false;
