import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { workspaceContext } from '../../access/workspace-context.ts';
import { unseal } from '../../lib/crypto/sealed.ts';
import { Failure } from '../../lib/failure.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import type { JobFailure } from '../job.ts';
import { watchOpen } from '../watch-open.ts';
import type { ErasureRow } from './erasure.ts';
import { type Findings, look, takeInventory } from './look.ts';
import type { ErasureJob } from './queue.ts';
import { remove } from './remove.ts';
import { isOpenErasure, selectErasure, updateErasure } from './sql.ts';
import { discard, type Swapped, store, swap } from './swap.ts';

/** How often the search repeats for data that arrived meanwhile. */
const roundsMax = 100;

/**
 * Runs a queued erasure to its end, or until it is interrupted. Idempotent: it may run again after a crash. It first
 * searches where the name appears, then takes the name out in one transaction, and then removes the bytes that are no
 * longer referenced. Throws only what a retry may cure.
 */
export async function runErasure(app: App, job: ErasureJob, signal: AbortSignal): Promise<void> {
  const ctx = await workspaceContext(app.db, job.workspace_id);
  const row = await begin(app, ctx, job.id);
  if (row?.identifier == null) return;
  const identifier = unseal(app.keys.sealing, row.identifier, `erasures.identifier ${row.id}`);
  const swapped = row.doomed === null ? await takeOut(app, ctx, row.id, identifier, signal) : 'done';
  if (swapped === 'interrupted') return;
  if (typeof swapped === 'object') return failErasure(app, job, keptAsText(swapped.remains));
  const taken = await begin(app, ctx, job.id);
  if (taken) await remove(app, ctx, taken, identifier, signal);
}

/**
 * Ends an erasure as failed, unless it has already ended. What it has erased stays erased. It may be requested again.
 */
export async function failErasure(app: App, { id, workspace_id }: ErasureJob, failure: JobFailure): Promise<void> {
  const ctx = await workspaceContext(app.db, workspace_id);
  await tenant(app.db, ctx, async (tx) => {
    const end = { status: 'failed', identifier: null, failure: JSON.stringify(failure), finished_at: new Date() };
    if (await updateErasure(tx, id, end))
      await record(tx, ctx, 'erasure-lifecycle', { type: 'erasure', id }, { status: 'failed' });
  });
}

/** Marks the erasure as running and returns it; undefined when it has ended. */
function begin(app: App, ctx: Context, id: string): Promise<ErasureRow | undefined> {
  return tenant(app.db, ctx, async (tx) => {
    const isOpen = await updateErasure(tx, id, { status: 'running' });
    return isOpen ? selectErasure(tx, id) : undefined;
  });
}

/** Searches and swaps. Repeats for data that arrived meanwhile; each round searches only what is new. */
async function takeOut(
  app: App,
  ctx: Context,
  id: string,
  identifier: string,
  stop: AbortSignal,
): Promise<Exclude<Swapped, 'outdated'> | 'interrupted'> {
  const folder = await mkdtemp(join(app.workFolder, `${id}-`));
  const findings: Findings = new Map();
  const watched = watchOpen(app.log, () => tenant(app.db, ctx, (tx) => isOpenErasure(tx, id)));
  const signal = AbortSignal.any([stop, watched.signal]);
  const means = { identifier, folder, findings, signal, about: { workspace: ctx.workspaceId, erasure: id } };
  try {
    for (let round = 1; round <= roundsMax; round++) {
      signal.throwIfAborted();
      const inventory = await tenant(app.db, ctx, (tx) => takeInventory(app, tx, ctx));
      await look(app, ctx, inventory, means);
      const replacement = await store(app, ctx, inventory, means);
      const swapped = await swap(app, ctx, id, inventory, findings, replacement, identifier);
      if (swapped === 'done') return swapped;
      await discard(app, replacement);
      if (swapped !== 'outdated') return swapped;
    }
    throw new Failure('unavailable', 'data came in faster than they could be looked into');
  } catch (error) {
    if (!watched.signal.aborted) throw error;
    return 'interrupted';
  } finally {
    watched.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the failure for names that are kept as text: why nothing was erased, and what to do. */
function keptAsText(remains: readonly string[]): JobFailure {
  return {
    code: 'name_kept_as_text',
    detail: `nothing was erased: the name itself stands in ${remains.join(', ')}. Accept a contract in which the table that these names are the key of has an entityKind (company, individual or asset), or in which a column that is neither key nor reference is marked pii: the tables are then read again from their files (those that were deleted must be sent again with mode replace); when that ingestion has succeeded, ask again`,
  };
}
