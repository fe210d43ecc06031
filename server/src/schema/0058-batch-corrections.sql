-- A batch may hold corrected rows of an earlier one, which had left them out.
alter table batches
  add column corrects text,
  add foreign key (workspace_id, corrects) references batches (workspace_id, id);
create index on batches (workspace_id, corrects) where corrects is not null;
