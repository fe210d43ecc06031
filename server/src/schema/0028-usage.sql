-- What is used, what it costs, and the invoices that say so.

-- What is metered of an entry of the audit trail; no row for most of them. The meter and the log of usage both read it here.
create function metered(action text, target_id text, data jsonb)
  returns table (meter text, model_id text, version_id text, quantity bigint) language sql immutable as $$
  select 'predictions', data->>'model_id', data->>'version_id', 1::bigint where action = 'prediction-request'
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

create table usage_days (
  organization_id text not null,
  workspace_id text not null,
  -- On the clocks of the workspace, when it was metered.
  day date not null,
  meter text not null check (meter in
    ('predictions', 'batch_rows', 'embeddings', 'storage_megabyte_days', 'training_minutes', 'training_runs')),
  model_id text,
  version_id text,
  quantity bigint not null check (quantity > 0),
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  unique nulls not distinct (workspace_id, day, meter, model_id, version_id)
);
create index on usage_days (organization_id, day);
alter table usage_days enable row level security;
create policy tenant on usage_days for select to lastro_app
  using (workspace_id = current_setting('app.workspace_id', true)
    and organization_id = current_setting('app.organization_id', true));
create policy system on usage_days to lastro_system using (true) with check (true);
grant select on usage_days to lastro_app;
grant select, insert, update on usage_days to lastro_system;

-- How much storage a workspace has had on a day is sampled once.
create unique index storage_sample on usage_days (workspace_id, day) where meter = 'storage_megabyte_days';

-- The usage of all workspaces of an organization, for who acts in the organization as a whole. Views read as their owner.
create view organization_usage_days with (security_barrier) as
  select * from usage_days
  where organization_id = current_setting('app.organization_id', true) and current_setting('app.workspace_id', true) = '';
grant select on organization_usage_days to lastro_app;

-- What the operator charges. A plan that has been used is not changed: it gets another version.
create table price_plans (
  name text not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
  version integer not null check (version > 0),
  document jsonb not null,
  created_at timestamptz not null default now(),
  primary key (name, version)
);
alter table price_plans enable row level security;
create policy tenant on price_plans for select to lastro_app using (true);
create policy system on price_plans to lastro_system using (true) with check (true);
grant select on price_plans to lastro_app;
grant select, insert on price_plans to lastro_system;
create trigger append_only before update or delete on price_plans for each row execute function refuse_change();
create trigger append_only_truncate before truncate on price_plans execute function refuse_change();
-- Of organizations for which none is named: nothing costs anything.
insert into price_plans (name, version, document) values ('default', 1, '{"monthly_fee": "0", "prices": {}}');

-- How many leaves of a workspace's tree have been metered. It moves in the transaction that adds to usage_days.
create table usage_positions (
  organization_id text not null,
  workspace_id text primary key,
  leaves bigint not null,
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id)
);
alter table usage_positions enable row level security;
create policy tenant on usage_positions for select to lastro_app
  using (workspace_id = current_setting('app.workspace_id', true)
    and organization_id = current_setting('app.organization_id', true));
create policy system on usage_positions to lastro_system using (true) with check (true);
grant select on usage_positions to lastro_app;
grant select, insert, update on usage_positions to lastro_system;

-- The log of what was used, entry by entry: of a workspace, or of all of them for who acts in the organization as a whole.
create view usage_records with (security_barrier) as
  select e.id, e.organization_id, e.workspace_id, e.recorded_at, m.meter, m.quantity, m.model_id, m.version_id,
    e.actor_type, e.actor_id, e.actor_label, e.channel, e.request_id, e.target_type, e.target_id
  from audit_entries e cross join lateral metered(e.action, e.target_id, e.data) m
  where e.outcome = 'succeeded' and e.workspace_id is not null
    and e.action in ('prediction-request', 'embedding-request', 'batch-lifecycle', 'training-run-lifecycle')
    and e.organization_id = current_setting('app.organization_id', true)
    and current_setting('app.workspace_id', true) in ('', e.workspace_id);
grant select on usage_records to lastro_app;

-- Who has been told that so much of a quota is used, so that they are told once a month.
create table quota_notices (
  organization_id text not null,
  workspace_id text,
  resource text not null,
  month date not null,
  percent integer not null,
  monthly_limit bigint not null,
  told_at timestamptz not null default now(),
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  unique nulls not distinct (organization_id, workspace_id, resource, month, percent, monthly_limit)
);
alter table quota_notices enable row level security;
create policy tenant on quota_notices for select to lastro_app
  using (organization_id = current_setting('app.organization_id', true)
    and workspace_id = current_setting('app.workspace_id', true));
create policy system on quota_notices to lastro_system using (true) with check (true);
grant select on quota_notices to lastro_app;
grant select, insert on quota_notices to lastro_system;

-- One of each organization and month. A draft has no lines and no sums: they follow from usage_days and the price plan.
create table invoices (
  id text primary key,
  organization_id text not null references organizations,
  month date not null check (extract(day from month) = 1),
  status text not null default 'draft' check (status in ('draft', 'issued')),
  number text,
  billed_to text,
  price_plan text,
  price_plan_version integer,
  currency text not null default 'BRL',
  total_cents bigint,
  created_at timestamptz not null default now(),
  issued_at timestamptz,
  unique (organization_id, id),
  unique (organization_id, month),
  unique (organization_id, number),
  foreign key (price_plan, price_plan_version) references price_plans,
  check ((status = 'issued') = (number is not null)),
  check ((status = 'issued') = (billed_to is not null and price_plan is not null and total_cents is not null
    and issued_at is not null))
);
create table invoice_lines (
  organization_id text not null,
  invoice_id text not null,
  position integer not null,
  -- Null for the fee of the month.
  meter text,
  from_unit bigint not null,
  up_to bigint,
  quantity bigint not null,
  price numeric not null,
  per bigint not null,
  amount_cents bigint not null,
  primary key (invoice_id, position),
  foreign key (organization_id, invoice_id) references invoices (organization_id, id)
);
create function isolate_invoices(name regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format($p$create policy tenant on %s for select to lastro_app
    using (organization_id = current_setting('app.organization_id', true)
      and current_setting('app.workspace_id', true) = '')$p$, name);
  execute format('create policy system on %s to lastro_system using (true) with check (true)', name);
  execute format('grant select on %s to lastro_app', name);
  execute format('create trigger append_only_truncate before truncate on %s execute function refuse_change()', name);
end $$;
select isolate_invoices('invoices');
select isolate_invoices('invoice_lines');
drop function isolate_invoices;
grant select, insert, update on invoices to lastro_system;
grant select, insert on invoice_lines to lastro_system;

-- What was issued stays as it is, and its lines with it.
create function keep_issued() returns trigger language plpgsql as $$
begin
  if old.status = 'issued' or tg_op = 'DELETE' then
    raise exception 'an invoice that was issued is not changed' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger keep_issued before update or delete on invoices for each row execute function keep_issued();
create function line_of_draft() returns trigger language plpgsql as $$
begin
  if not exists (select from invoices where id = new.invoice_id and status = 'draft') then
    raise exception 'an invoice that was issued gets no further line' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger line_of_draft before insert on invoice_lines for each row execute function line_of_draft();
create trigger append_only before update or delete on invoice_lines for each row execute function refuse_change();
