-- The columns of a labelled file that are called otherwise than they are read, by the name by which they are.
alter table evaluations add column column_mapping jsonb not null default '{}';
