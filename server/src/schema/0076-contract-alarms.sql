-- Alarms of what contracts, and callers, take away from what a version reads.
alter table model_alarms drop constraint model_alarms_kind_check;
alter table model_alarms add constraint model_alarms_kind_check check (kind in ('drift', 'performance', 'contract'));
