-- Whether a run may point its alias at a version by whose inputs today's callers would be refused.
alter table training_runs add column accept_input_changes boolean not null default false;
