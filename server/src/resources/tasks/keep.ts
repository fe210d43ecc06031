import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { lockModels } from './sql.ts';

/** Keeps every model and task of the workspace from being deleted until the transaction ends: before one is used. */
export function keepModels(tx: Tx, ctx: Context): Promise<void> {
  return lockModels(tx, ctx, 'shared');
}

/** Waits for whoever is about to use a model or task, and keeps others from it until the transaction ends. */
export function awaitUse(tx: Tx, ctx: Context): Promise<void> {
  return lockModels(tx, ctx, 'exclusive');
}
