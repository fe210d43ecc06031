-- The column of a batch's files that stands in the result as reference_id. Null: the column of that name, if any.
alter table batches add column reference_column text;
