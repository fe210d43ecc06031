import type { Context } from '../../access/context.ts';
import { create } from '../../api/idempotency.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { seal } from '../../lib/crypto/sealed.ts';
import type { Answer } from '../../lib/http/server.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { requireRoom } from '../open-work.ts';
import { presentErasure } from './erasure.ts';
import { erasureQueue } from './queue.ts';
import { countOpen, insertErasure, selectErasure } from './sql.ts';

/**
 * Queues an erasure, after which nothing stored can be traced to the company, person or asset of the identifier.
 * Throws Failure 'limit_exceeded'.
 */
export function createErasure(app: App, ctx: Context, identifier: string): Promise<Answer> {
  return create(app.db, ctx, 202, async (tx) => {
    await requireRoom(tx, 'erasures', countOpen);
    const id = newId('era');
    await insertErasure(tx, ctx, id, seal(app.keys.sealing, identifier, `erasures.identifier ${id}`));
    await record(tx, ctx, 'erasure-lifecycle', { type: 'erasure', id }, { status: 'queued' });
    await app.queue.send(tx, erasureQueue, { id, workspace_id: ctx.workspaceId }, { group: ctx.workspaceId });
    return presentErasure((await selectErasure(tx, id))!);
  });
}
