-- Whether texts that a spreadsheet would run as formulas are escaped in CSV results. Batches until now have them raw.
alter table batches add column csv_formulas text not null default 'raw' check (csv_formulas in ('escape', 'raw'));
alter table batches alter column csv_formulas set default 'escape';
