import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { create } from '../../api/idempotency.ts';
import { readMoment } from '../../api/moment.ts';
import { named, refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Answer } from '../../lib/http/server.ts';
import type { ReplayAsked } from '../../schema/json.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { storedUnits } from '../batches/replay-unit.ts';
import { modelIdOf } from '../models/require.ts';
import { requireRoom } from '../open-work.ts';
import { replayQueue } from './queue.ts';
import { presentReplay } from './replay.ts';
import { countOpen, insertReplay, selectKnown, selectReplay, selectSample } from './sql.ts';

export type ReplayRequest = {
  readonly predictions?: {
    readonly ids?: readonly string[];
    /** RFC 3339: those answered from then on, and before then. */
    readonly from?: string;
    readonly to?: string;
    /** Its id or name. */
    readonly model?: string;
    readonly version_id?: string;
    /** So many of the newest, spread over versions and snapshots. */
    readonly sample?: number;
  };
  readonly batch?: string;
};

/** Pairs of version and snapshot of which a sample is: each has to be opened. */
export const pairsMax = 10;

/**
 * Queues a replay of predictions of the log, or of a batch; what is answered after this is not among them. Throws
 * Failure 'invalid', 'not_found', 'schema_mismatch', 'limit_exceeded', and those of `storedUnits`.
 */
export async function createReplay(app: App, ctx: Context, asked: ReplayRequest): Promise<Answer> {
  return create(app.db, ctx, 202, async (tx) => {
    await requireRoom(tx, 'replays', countOpen);
    const id = await startReplay(app, tx, ctx, await readAsked(tx, asked), 'request');
    return presentReplay((await selectReplay(tx, id))!);
  });
}

async function readAsked(tx: Tx, { predictions, batch }: ReplayRequest): Promise<ReplayAsked> {
  if ((predictions === undefined) === (batch === undefined))
    throw refuse('invalid', 'say what to replay: either predictions or a batch', {
      problems: [{ at: predictions ? '/batch' : '/predictions', message: 'either predictions or a batch' }],
    });
  if (batch !== undefined) {
    await named('/batch', storedUnits(tx, batch));
    return { batch_id: batch };
  }
  const { ids, sample, from, to, model, version_id } = predictions!;
  const [one, ...others] = [ids, sample, from ?? to ?? model ?? version_id].filter((each) => each !== undefined);
  if (one !== undefined && others.length > 0)
    throw refuse('invalid', 'name predictions by ids, or by a span, model and version, or have a sample chosen', {
      problems: [{ at: '/predictions', message: 'either ids, or sample, or from, to, model and version_id' }],
    });
  if (ids !== undefined) {
    const known = new Set(await selectKnown(tx, ids));
    const unknown = ids.findIndex((id) => !known.has(id));
    if (unknown >= 0) {
      const message = `there is no prediction ${ids[unknown]}`;
      throw refuse('not_found', message, { problems: [{ at: `/predictions/ids/${unknown}`, message }] });
    }
    return { ids: [...known].sort() };
  }
  if (sample !== undefined) return { ids: await selectSample(tx, sample, pairsMax, new Date().toISOString()) };
  const [since, until] = [from, to].map((text, at) =>
    text === undefined ? undefined : readMoment(at === 0 ? 'predictions/from' : 'predictions/to', text, 'body'),
  );
  const last = until ?? new Date();
  if (since && since >= last)
    throw refuse('invalid', 'from must be before to', {
      problems: [{ at: '/predictions/from', message: 'must be before to' }],
    });
  return {
    ...(since && { from: since.toISOString() }),
    to: last.toISOString(),
    ...(model !== undefined && { model_id: await modelIdOf(tx, model) }),
    ...(version_id !== undefined && { version_id }),
  };
}

/** Writes a replay down and queues it. Returns its id. */
export async function startReplay(
  app: Pick<App, 'queue'>,
  tx: Tx,
  ctx: Context,
  asked: ReplayAsked,
  origin: 'request' | 'self_check',
): Promise<string> {
  const id = newId('rpl');
  await insertReplay(tx, {
    ...{ id, organization_id: ctx.organizationId, workspace_id: ctx.workspaceId, origin },
    ...{ asked: JSON.stringify(asked), created_by: ctx.actor.label },
  });
  await record(tx, ctx, 'replay-lifecycle', { type: 'replay', id }, { status: 'queued', origin });
  await app.queue.send(tx, replayQueue, { id, workspace_id: ctx.workspaceId }, { group: ctx.workspaceId });
  return id;
}
