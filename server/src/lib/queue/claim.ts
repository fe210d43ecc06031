// Gives jobs out by start-time fair queueing (Goyal, Vin and Cheng, 1997): the group that has had least service is
// next. Service is counted in seconds of running jobs over the group's weight, in the database, so that all processes
// share it. A group that had nothing to do is set level with the one served last: it neither saves nor owes.
//
// Every claim costs its group `claimSeconds` at least. So between two jobs of a group that has one waiting, each other
// group gets at most as much service as the two differ in by one job of each: none waits for ever.
import type pg from 'pg';

/** A claimed job. `retryCount` tells its claims apart. */
export type Claim = { readonly id: string; readonly retryCount: number };

/** `group` is '' for a job without one. */
export type Claimed = Claim & { readonly group: string; readonly data: unknown };

/** What a claim costs its group at once. What the job takes beyond that is added when it is over. */
const claimSeconds = 0.05;

/** The order of jobs within a group: each point of priority counts as having been sent this much earlier. */
const priorityHeadStart = '10 minutes';

/**
 * The order as SQL that an index may have: times without zone do not depend on the session. Jobs of low priority
 * cannot starve: they are passed only by what is sent within their head start.
 */
const due = `((created_on at time zone 'UTC') - priority * interval '${priorityHeadStart}')`;

/** Jobs without a group are together a group without limit. */
const groupOf = "coalesce(group_id, '')";

/** The table of service and the indexes that a claim reads. A claim then costs the same however many jobs wait. */
export const claimSchema = `
  create table if not exists pgboss.group_service (
    queue text not null,
    group_id text not null,
    began double precision not null,
    served double precision not null,
    primary key (queue, group_id));
  create index if not exists group_service_began on pgboss.group_service (queue, began desc);
  create table if not exists pgboss.group_weight (group_id text primary key, weight double precision);
  alter table pgboss.group_weight add column if not exists usual double precision, alter column weight drop not null;
  create index if not exists waiting_jobs on pgboss.job_common (name, (${groupOf}), (${due}), start_after)
    where state < 'active' and not blocked`;

/** The weight of a group as SQL: the one that it was given, else its usual one. */
export const weightOfGroup = 'coalesce(group_weight.weight, group_weight.usual, 1)';

const waiting = "name = $1 and state < 'active' and not blocked";

/**
 * $1 the queue, $2 the limit of a group, $3 groups to pass over.
 * The groups are read off the index one by one, without their jobs.
 */
const claimStatement = `
  with recursive waiting_group as (
    (select ${groupOf} as id from pgboss.job_common where ${waiting} order by ${groupOf} limit 1)
    union all
    select (
      select ${groupOf} from pgboss.job_common where ${waiting} and ${groupOf} > waiting_group.id
      order by ${groupOf} limit 1)
    from waiting_group where waiting_group.id is not null),
  running as (
    select ${groupOf} as id, count(*) as jobs, sum(extract(epoch from clock_timestamp() - started_on)) as seconds
    from pgboss.job_common where name = $1 and state = 'active' group by 1),
  level as (select coalesce(max(began), 0) as at from pgboss.group_service where queue = $1),
  candidate as (
    select waiting_group.id, ${weightOfGroup} as weight, coalesce(served, 0) as served,
      coalesce(seconds, 0) / ${weightOfGroup} as used
    from waiting_group
    left join running on running.id = waiting_group.id
    left join pgboss.group_service on queue = $1 and group_service.group_id = waiting_group.id
    left join pgboss.group_weight on group_weight.group_id = waiting_group.id
    where waiting_group.id = '' or (coalesce(jobs, 0) < $2 and waiting_group.id <> all($3::text[]))),
  next as (
    select head.id, candidate.id as group_id, weight, used, greatest(level.at, served + used) as begins
    from level, candidate
    cross join lateral (
      select job.id, ${due} as due from pgboss.job_common as job
      where ${waiting} and ${groupOf} = candidate.id and start_after <= now()
      order by ${due} limit 1) as head
    order by begins, head.due limit 1),
  counted as (
    insert into pgboss.group_service (queue, group_id, began, served)
    select $1, group_id, begins, begins - used + ${claimSeconds} / weight from next
    on conflict (queue, group_id) do update set began = excluded.began, served = excluded.served)
  update pgboss.job_common as job set state = 'active', started_on = now(), heartbeat_on = now(),
    retry_count = case when started_on is null then retry_count else retry_count + 1 end
  from next where job.name = $1 and job.id = next.id and job.state < 'active'
  returning job.id, job.data, job.retry_count as "retryCount", next.group_id as "group"`;

/**
 * Claims at most `most` jobs, one after the other, none of a group that has `perGroup` or that is in `full`, which is
 * asked before each. One claim at a time over all processes: two that count the running
 * jobs of a group before either has taken its job would both find room for one.
 */
export async function claimJobs(
  pool: pg.Pool,
  queue: string,
  perGroup: number,
  most: number,
  full: (claimed: readonly Claimed[]) => readonly string[],
): Promise<Claimed[]> {
  const client = await pool.connect();
  let isClean = false;
  try {
    // The planner does not know how many jobs wait, and would sort them where the index has the order.
    await client.query(
      'begin; set local enable_sort = off; set local enable_seqscan = off; set local enable_bitmapscan = off; set local jit = off',
    );
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`lastro fetch ${queue}`]);
    const jobs: Claimed[] = [];
    while (jobs.length < most) {
      const { rows } = await client.query<Claimed>(claimStatement, [queue, perGroup, full(jobs)]);
      if (rows.length === 0) break;
      jobs.push(rows[0]);
    }
    await client.query('commit');
    isClean = true;
    return jobs;
  } finally {
    client.release(!isClean);
  }
}

/** Counts what a job has taken, in seconds, as service of its group. */
export async function countService(pool: pg.Pool, queue: string, job: string, seconds: number): Promise<void> {
  await pool.query(
    `update pgboss.group_service as service set served = served + greatest($3 - ${claimSeconds}, 0) / coalesce(
       (select ${weightOfGroup} from pgboss.group_weight where group_weight.group_id = service.group_id), 1)
     from pgboss.job_common as job
     where job.name = $1 and job.id = $2 and service.queue = $1 and service.group_id = coalesce(job.group_id, '')`,
    [queue, job, seconds],
  );
}

export async function weighGroup(pool: pg.Pool, group: string, weight: number): Promise<void> {
  await pool.query(
    `insert into pgboss.group_weight (group_id, weight) values ($1, $2)
     on conflict (group_id) do update set weight = excluded.weight`,
    [group, weight],
  );
}

/** Sets the usual weights of groups, which hold for those that were given none; of all other groups that is 1. */
export async function weighUsually(pool: pg.Pool, usual: ReadonlyMap<string, number>): Promise<void> {
  await pool.query(
    `with told as (select * from unnest($1::text[], $2::double precision[]) as t (group_id, usual)),
     ended as (update pgboss.group_weight set usual = null
       where usual is not null and group_id not in (select group_id from told))
     insert into pgboss.group_weight (group_id, usual) select group_id, usual from told
     on conflict (group_id) do update set usual = excluded.usual
       where group_weight.usual is distinct from excluded.usual`,
    [[...usual.keys()], [...usual.values()]],
  );
}
