-- Whether work of a kind is under way in other workspaces, for which work that is next in its own waits. That is all
-- that a workspace learns of others. Security definer: it sees none of their rows.
create function is_busy_elsewhere(kind text) returns boolean language sql stable security definer
  set search_path = public, pg_temp as $$
  select case kind
    when 'batches' then
      exists (select from batches where status = 'running' and planned_at is null and workspace_id <> own)
    when 'ingestions' then exists (select from ingestions where status = 'running' and workspace_id <> own)
    when 'training_runs' then exists (select from training_runs where status = 'running' and workspace_id <> own)
  end from (select coalesce(current_setting('app.workspace_id', true), '') as own) as asking
$$;
