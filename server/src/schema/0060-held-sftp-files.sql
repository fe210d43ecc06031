-- As before, and what came by SFTP and is none of the workspace's files yet: what is not whole, or waits to be renamed.
create or replace function held_now(asked text, organization text, workspace text) returns bigint language sql stable as $$
  select case asked
    when 'open_batches' then (select count(*) from batches
      where status in ('queued', 'running') and organization_id = organization and workspace_id = any(among))
    when 'open_evaluations' then (select count(*) from evaluations
      where status in ('queued', 'running') and organization_id = organization and workspace_id = any(among))
    when 'open_ingestions' then (select count(*) from ingestions
      where status in ('queued', 'running') and organization_id = organization and workspace_id = any(among))
    when 'open_training_runs' then (select count(*) from training_runs
      where status in ('queued', 'running') and organization_id = organization and workspace_id = any(among))
    -- Of a file that has not come, the bytes that were declared: they are on their way.
    when 'stored_megabytes' then ceil((
      (select coalesce(sum(coalesce(bytes, declared_bytes)), 0) from files
        where status <> 'deleted' and organization_id = organization and workspace_id = any(among)
          and (status = 'uploaded' or expires_at > now()))
      + (select coalesce(sum(bytes), 0) from sftp_files
        where status in ('incomplete', 'held') and removed_at is null
          and organization_id = organization and workspace_id = any(among))
      + (select coalesce(sum(output_bytes), 0) from batch_files
        where output_key is not null and organization_id = organization and workspace_id = any(among))
      ) / 1e6)::bigint
  end
  from (select array(select id from workspaces
    where organization_id = organization and (workspace is null or id = workspace)) as among) as those
$$;
