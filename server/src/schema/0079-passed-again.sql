-- When a version that was rolled back from passed the gates again: until then it does not go back freely.
alter table rollbacks add column passed_at timestamptz;
