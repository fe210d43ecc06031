import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { proveInclusion } from '../../trail/proofs.ts';
import type { App } from '../app.ts';
import { requireCheckpoint } from '../audit-checkpoints/require.ts';
import { selectEntry } from './sql.ts';

/**
 * Proves that an entry is in the tree of a checkpoint: in that of `size` leaves, or in the newest. Throws Failure
 * 'not_found', and 'conflict' when the entry was sealed after that checkpoint or is not sealed yet.
 */
export async function proveEntry(app: App, ctx: Context<Scope>, id: string, size: number | undefined) {
  return tenant(app.db, ctx, async (tx) => {
    const entry = await selectEntry(tx, ctx, id);
    if (!entry) throw refuse('not_found', `there is no audit entry ${id}`);
    const { leaf_index, leaf_hash } = entry;
    if (leaf_index === null || leaf_hash === null)
      throw refuse('conflict', 'the entry is not sealed yet: it will be in about a second');
    const checkpoint = await requireCheckpoint(tx, ctx, size);
    if (leaf_index >= checkpoint.size)
      throw refuse(
        'conflict',
        `the entry is leaf ${leaf_index}, which the tree of ${checkpoint.size} leaves is without`,
      );
    const path = await proveInclusion(tx, checkpoint.tree, leaf_index, checkpoint.size);
    return { leaf_index, leaf_hash, checkpoint, path };
  });
}
