-- Whether a run that learns a task first pre-trains an encoder of its entity, which becomes part of the version.
alter table training_runs add column pretrain boolean not null default false;
