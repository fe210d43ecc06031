-- What problems say as codes with values, in their order; null of one that has no code.
alter table sftp_files add column problem_codes jsonb not null default '[]';
