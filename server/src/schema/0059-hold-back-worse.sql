-- Whether a run keeps its alias from a version that is surely worse than what takes no learning.
alter table training_runs add column hold_back_worse boolean not null default false;
