-- Whether a run that learns a task also teaches its closed labels to the encoder of the task's table, and what an encoder goes on from.
alter table training_runs add column feedback boolean not null default false;
alter table rfm_versions add column parent_id text;
alter table rfm_versions add foreign key (workspace_id, parent_id) references rfm_versions (workspace_id, id);
