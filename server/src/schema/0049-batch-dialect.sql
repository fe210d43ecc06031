-- How CSV results of a batch are written: standard, or excel_semicolon.
alter table batches add column csv_dialect text not null default 'standard';
