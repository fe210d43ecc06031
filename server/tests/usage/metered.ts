/** What has been metered, for tests of usage; test support. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/access/context.ts';
import { newId } from '../../src/lib/crypto/ids.ts';
import { predictionItem } from '../../src/resources/predictions/commit.ts';
import { meterUsage } from '../../src/resources/usage/meter.ts';
import { sealEntries } from '../../src/trail/seal.ts';
import type { Client, Reply, TestService } from '../service.ts';

const pauseMs = 20;

/**
 * Seals and meters everything that has been recorded until now. The service does so too, at intervals: a call that
 * finds it at work leaves the work to it.
 */
export async function meterAll({ service: { app }, owner }: TestService): Promise<void> {
  for (let isBehind = true; isBehind; await sleep(pauseMs)) {
    await sealEntries(app.db, app.keys.audit);
    await meterUsage(app.db);
    const { rows } = await owner.pool.query<{ behind: boolean }>(`select
      exists (select from audit.unsealed) or exists (select from audit_trees as t
        left join usage_positions as p on p.workspace_id = t.workspace_id
        where t.workspace_id is not null and t.size > coalesce(p.leaves, 0)) as behind`);
    isBehind = rows[0].behind;
  }
}

/** Every item of a list, page by page. */
export async function listAll(client: Pick<Client, 'get'>, path: string): Promise<Reply['body'][]> {
  const items = [];
  for (let cursor = ''; ; ) {
    const { status, text, body } = await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=7${cursor}`);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    items.push(...body.data);
    if (!body.has_more) return items;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
}

/** The sums of a workspace or, by its path, of an organization since the beginning of the month, by meter. */
export async function totals(client: Pick<Client, 'get'>, path = '/v1/api/usage'): Promise<Record<string, number>> {
  const sums = await listAll(client, `${path}?group_by=total`);
  return Object.fromEntries(sums.map(({ meter, quantity }) => [meter, quantity]));
}

/** Makes answers to so many predictions durable, as a request does before it is answered. */
export async function answerPredictions({ service: { app } }: TestService, ctx: Context, count: number): Promise<void> {
  const served = { modelId: 'mdl_1', versionId: 'ver_1', snapshotId: 'snp_1', alias: null };
  const foundBy = { band: null, tenth: null, entity: null, row: null };
  const answered = { kept: {}, outputs: '{}', asOf: new Date().toISOString(), foundBy };
  const asked = {
    body: {},
    include: new Set<never>(),
    language: ctx.language,
    timeZone: ctx.timeZone,
    now: Date.now(),
  };
  await Promise.all(
    Array.from({ length: count }, () =>
      app.groupCommit.commit(
        predictionItem(
          { ...ctx, requestId: newId('req') },
          { question: { ...asked, id: newId('prd') }, served, answered, latencyMs: 1 },
        ),
      ),
    ),
  );
}
