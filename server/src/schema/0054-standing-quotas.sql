-- Quotas of what there is at once, beside those of what is used in a month.
alter table quotas rename column monthly_limit to "limit";
alter table quota_notices rename column monthly_limit to "limit";
alter table quotas drop constraint quotas_resource_check;
alter table quotas add constraint quotas_resource_check check (resource in (
  'batch_rows', 'embeddings', 'predictions', 'training_runs', 'predictions_per_second',
  'open_batches', 'open_evaluations', 'open_ingestions', 'open_training_runs', 'stored_megabytes'));

-- How much of a resource there is now in a workspace; without one, in all workspaces of the organization.
create function held_now(asked text, organization text, workspace text) returns bigint language sql stable as $$
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
      + (select coalesce(sum(output_bytes), 0) from batch_files
        where output_key is not null and organization_id = organization and workspace_id = any(among))
      ) / 1e6)::bigint
  end
  from (select array(select id from workspaces
    where organization_id = organization and (workspace is null or id = workspace)) as among) as those
$$;

-- The quotas of what there is at once that a workspace is under, and how much there is: the organization's own goes
-- before that of its price plan. Whoever asks about a quota makes others wait who ask the same, until the transaction
-- ends: what they add together stays within it.
create function quotas_held(asked text)
  returns table (quota_of text, quota_limit bigint, held bigint) language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  organization text := current_setting('app.organization_id');
  workspace text := current_setting('app.workspace_id');
  of_workspace bigint := (select q."limit" from quotas as q where q.workspace_id = workspace and q.resource = asked);
  of_organization bigint := coalesce(
    (select q."limit" from quotas as q
      where q.organization_id = organization and q.workspace_id is null and q.resource = asked),
    (select (p.document -> 'quotas' ->> asked)::bigint
      from organizations as o join price_plans as p on p.name in (o.price_plan, 'default')
      where o.id = organization order by p.name = o.price_plan desc nulls last, p.version desc limit 1));
begin
  if of_workspace is null and of_organization is null then return; end if;
  perform pg_advisory_xact_lock(hashtext('quota ' || asked || ' ' || organization));
  if of_workspace is not null then
    return query select 'workspace', of_workspace, held_now(asked, organization, workspace);
  end if;
  if of_organization is not null then
    return query select 'organization', of_organization, held_now(asked, organization, null);
  end if;
end
$$;
revoke execute on function quotas_held(text) from public;
grant execute on function quotas_held(text) to lastro_app, lastro_system;
