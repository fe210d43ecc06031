-- A search for counterfactuals counts as predictions: as many as its entry says.
create or replace function metered(action text, target_id text, data jsonb)
  returns table (meter text, model_id text, version_id text, quantity bigint) language sql immutable as $$
  select 'predictions', data->>'model_id', data->>'version_id', 1::bigint where action = 'prediction-request'
  union all
  select 'predictions', data->>'model_id', data->>'version_id', (data->>'predictions')::bigint
    where action = 'counterfactual-request'
  union all
  select 'embeddings', null, target_id, (data->>'entities')::bigint where action = 'embedding-request'
  union all
  select 'batch_rows', data->'model'->>'model_id', data->'model'->>'version_id', (data->>'rows_scored')::bigint
    where action = 'batch-lifecycle' and (data->>'rows_scored')::bigint > 0
  union all
  select 'training_runs', null, null, 1 where action = 'training-run-lifecycle' and data->>'status' = 'queued'
  union all
  select 'training_minutes', data->>'model_id', data->>'version_id', (data->>'minutes')::bigint
    where action = 'training-run-lifecycle' and (data->>'minutes')::bigint > 0;
$$;

create or replace view usage_records with (security_barrier) as
  select e.id, e.organization_id, e.workspace_id, e.recorded_at, m.meter, m.quantity, m.model_id, m.version_id,
    e.actor_type, e.actor_id, e.actor_label, e.channel, e.request_id, e.target_type, e.target_id
  from audit_entries e cross join lateral metered(e.action, e.target_id, e.data) m
  where e.outcome = 'succeeded' and e.workspace_id is not null
    and e.action in ('prediction-request', 'counterfactual-request', 'embedding-request', 'batch-lifecycle',
      'training-run-lifecycle')
    and e.organization_id = current_setting('app.organization_id', true)
    and current_setting('app.workspace_id', true) in ('', e.workspace_id);
