-- Models and tasks can be deleted; the runs that learned them stay as they were.
alter table training_runs
  drop constraint training_runs_workspace_id_task_id_fkey,
  drop constraint training_runs_workspace_id_model_id_fkey;

-- Versions go with their model, which is served by its name, too.
create trigger count_serving_epoch after delete on models
  for each row execute function count_serving_epoch();
