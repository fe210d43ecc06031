-- The key that a new row was given, beside whom it is about: by it the row is found once it is in its table.
alter table predictions
  add column row_table text,
  add column row_key text;
create index on predictions (workspace_id, row_key, id) where row_key is not null;
