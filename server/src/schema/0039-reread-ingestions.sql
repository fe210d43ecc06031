-- An ingestion may take in nothing new, and bring the data under a contract that was accepted.
alter table ingestions
  add column kind text not null default 'delivery' check (kind in ('delivery', 'reread'));

-- Runs and versions name the contract by the number that people know it by, too.
alter table training_runs add column contract_number integer;
update training_runs set contract_number = c.number from contracts as c where c.id = training_runs.contract_id;
alter table training_runs alter column contract_number set not null;

alter table model_versions add column contract_number integer;
update model_versions set contract_number = c.number from contracts as c where c.id = model_versions.contract_id;
alter table model_versions alter column contract_number set not null;
