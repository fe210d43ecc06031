import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../access/context.ts';
import { system, tenant } from '../../access/transactions.ts';
import { Failure } from '../../lib/failure.ts';
import type { Erased } from '../../schema/json.ts';
import { servedWithinMs } from '../../serving/serving.ts';
import { currentIdentifiers, selectManifests } from '../../serving/snapshot.ts';
import { lineOf } from '../../serving/snapshot-files.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { haveEnded } from '../batches/erase.ts';
import { batchFolder } from '../batches/storage-key.ts';
import { deleteWithin, ingestionLock } from '../ingestions/lock.ts';
import { identifiersFolder, partKey } from '../ingestions/storage-key.ts';
import { eraseMonitored } from '../monitors/erase.ts';
import { eraseOutcomes } from '../outcomes/erase.ts';
import { erasePredictions } from '../predictions/erase.ts';
import { eraseWatched } from '../watch-lists/erase.ts';
import type { ErasureRow } from './erasure.ts';
import { forgottenWithinMs } from './forget.ts';
import { updateErasure } from './sql.ts';

/** The number of keys removed per transaction. Ingestions wait for the lock meanwhile. */
const keysPerTransaction = 32;
/** How often to check whether batches have ended. A running unit notices the interruption within a second. */
const batchPollMs = 250;
const batchWaitMs = 60_000;

/**
 * Removes the bytes that are unreferenced since the swap and what jobs that started before it have written since, then
 * ends the erasure. Throws Failure 'unavailable' when a batch does not stop.
 */
export async function remove(
  app: App,
  ctx: Context,
  { id, doomed, erased }: ErasureRow,
  identifier: string,
  signal: AbortSignal,
): Promise<void> {
  // The swap has set both fields.
  const { batches } = erased as Erased;
  const keys = doomed!;
  for (let at = 0; at < keys.length; at += keysPerTransaction)
    await removeUnused(app, ctx, keys.slice(at, at + keysPerTransaction));
  // Until then a process may still predict with the old dictionary, or have local copies of removed objects.
  await sleep(app.storage.forget ? forgottenWithinMs : servedWithinMs, undefined, { signal });
  await untilEnded(app, ctx, batches, signal);
  for (const batch of batches) await app.storage.deletePrefix(batchFolder(ctx, batch));
  await removeDictionaries(app, ctx);
  await system(app.db, 'erasure', async (tx) => {
    const predictions = await erasePredictions(tx, ctx, app.storage, identifier);
    await eraseOutcomes(tx, ctx);
    await eraseMonitored(tx, ctx, identifier);
    await eraseWatched(tx, ctx, identifier);
    const end = { status: 'succeeded', identifier: null, doomed: null, finished_at: new Date() };
    const isOurs = await updateErasure(tx, id, {
      ...end,
      erased: JSON.stringify({ ...erased, predictions }),
    });
    if (isOurs) await record(tx, ctx, 'erasure-lifecycle', { type: 'erasure', id }, { status: 'succeeded' });
  });
}

/**
 * Removes the keys that no snapshot references. Parts are named by their content, so a later ingestion may have stored
 * the same part again.
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

/** Removes dictionaries outside the current line: an ingestion that began before the swap may have stored one since. */
async function removeDictionaries(app: App, ctx: Context): Promise<void> {
  const line = lineOf(await tenant(app.db, ctx, (tx) => currentIdentifiers(tx, ctx)));
  for await (const { key } of app.storage.list(identifiersFolder(ctx)))
    if (lineOf(key) !== line) await app.storage.delete(key);
}
