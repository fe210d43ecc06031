-- What a person should look at before trusting a model, as learning found it.
alter table training_runs add column warnings jsonb not null default '[]';
alter table model_versions add column warnings jsonb not null default '[]';
