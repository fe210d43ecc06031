import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../access/context.ts';
import { system, tenant } from '../../access/transactions.ts';
import { Failure } from '../../lib/failure.ts';
import type { Erased } from '../../schema/json.ts';
import { servedWithinMs } from '../../serving/serving.ts';
import { currentIdentifiers, selectManifests } from '../../serving/snapshot.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { haveEnded } from '../batches/erase.ts';
import { batchFolder } from '../batches/storage-key.ts';
import { deleteWithin, ingestionLock } from '../ingestions/lock.ts';
import { identifiersFolder, lineOf, partKey } from '../ingestions/storage-key.ts';
import { erasePredictions } from '../predictions/erase.ts';
import type { ErasureRow } from './erasure.ts';
import { forgottenWithinMs } from './forget.ts';
import { updateErasure } from './sql.ts';

/** Ingestions wait while so many are removed. */
const keysPerTransaction = 32;
/** A unit under way hears within a second that its batch has been interrupted. */
const batchPollMs = 250;
const batchWaitMs = 60_000;

/**
 * Removes the bytes that nothing leads to since the swap, and what was written meanwhile by those who had begun before,
 * and ends the erasure. Throws Failure 'unavailable' where a batch does not stop.
 */
export async function remove(
  app: App,
  ctx: Context,
  { id, doomed, erased }: ErasureRow,
  identifier: string,
  signal: AbortSignal,
): Promise<void> {
  // The swap, which comes first, has noted both.
  const { batches } = erased as Erased;
  const keys = doomed!;
  for (let at = 0; at < keys.length; at += keysPerTransaction)
    await removeUnused(app, ctx, keys.slice(at, at + keysPerTransaction));
  // Until then a process may still answer by the dictionary that it has open, or have a copy of what has gone.
  await sleep(app.storage.forget ? forgottenWithinMs : servedWithinMs, undefined, { signal });
  await untilEnded(app, ctx, batches, signal);
  for (const batch of batches) await app.storage.deletePrefix(batchFolder(ctx, batch));
  await removeDictionaries(app, ctx);
  await system(app.db, 'erasure', async (tx) => {
    const predictions = await erasePredictions(tx, ctx, identifier);
    const end = { status: 'succeeded', identifier: null, doomed: null, finished_at: new Date() };
    const isOurs = await updateErasure(tx, id, {
      ...end,
      erased: JSON.stringify({ ...erased, predictions }),
    });
    if (isOurs) await record(tx, ctx, 'erasure-lifecycle', { type: 'erasure', id }, { status: 'succeeded' });
  });
}

/**
 * Removes what no snapshot has: parts are named by their content, and what was sent since may have brought one back.
 */
function removeUnused(app: App, ctx: Context, keys: readonly string[]): Promise<void> {
  return tenant(app.db, ctx, async (tx) => {
    await ingestionLock(tx, ctx);
    const parts = (await selectManifests(tx)).flatMap(({ manifest }) =>
      manifest.tables.flatMap((table) => table.parts),
    );
    const used = new Set(parts.map(({ path }) => partKey(ctx, path)));
    for (const key of keys) if (!used.has(key)) await deleteWithin(tx, app.storage, key);
  });
}

async function untilEnded(app: App, ctx: Context, batches: readonly string[], signal: AbortSignal): Promise<void> {
  for (let waited = 0; waited < batchWaitMs; waited += batchPollMs) {
    if (await tenant(app.db, ctx, (tx) => haveEnded(tx, batches))) return;
    await sleep(batchPollMs, undefined, { signal });
  }
  throw new Failure('unavailable', 'a batch over what was erased has not stopped yet');
}

/** Dictionaries that may have the name: ingestions that had begun before may have stored theirs since. */
async function removeDictionaries(app: App, ctx: Context): Promise<void> {
  const line = lineOf(await tenant(app.db, ctx, (tx) => currentIdentifiers(tx, ctx)));
  for await (const { key } of app.storage.list(identifiersFolder(ctx)))
    if (lineOf(key) !== line) await app.storage.delete(key);
}
