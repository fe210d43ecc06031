-- What has been told of an alarm, each signal once: those that come to it while it is on are told, too.
alter table model_alarms add column told text[] not null default '{}';
update model_alarms set told = array(
  select (s ->> 'kind') || ' ' || (s ->> 'of') || ' ' || (s ->> 'name') from jsonb_array_elements(signals) as s);
