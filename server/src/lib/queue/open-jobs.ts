import type pg from 'pg';

/** A job that has not ended, apart from the tables of the queue: `Queue.send` makes it anew. */
export type OpenJob = {
  readonly queue: string;
  readonly data: object;
  readonly priority: number;
  readonly group: string | null;
  readonly singletonKey: string | null;
};

export type OpenJobs = {
  /** Oldest first. */
  readonly jobs: readonly OpenJob[];
  readonly weights: readonly { readonly group: string; readonly weight: number }[];
};

/** The jobs that have not ended and the weights that groups were given, as they are in the client's transaction. */
export async function readOpenJobs(client: pg.Client): Promise<OpenJobs> {
  const { rows: jobs } = await client.query<OpenJob>(
    `select name as queue, data, priority, group_id as "group", singleton_key as "singletonKey"
     from pgboss.job where state < 'completed' and data is not null order by created_on, id`,
  );
  const { rows: weights } = await client.query<OpenJobs['weights'][number]>(
    `select group_id as "group", weight from pgboss.group_weight
     where weight is not null order by 1`,
  );
  return { jobs, weights };
}
