-- What a batch takes of the quotas of rows: while it is open, the rows that it may score; once it has ended, those of its result.
alter table batches add column quota_rows bigint;
update batches b set quota_rows = (select coalesce(sum(output_rows), 0) from batch_files f where f.batch_id = b.id)
  where status in ('succeeded', 'failed');
