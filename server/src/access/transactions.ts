import { type Db, type Transaction, transaction } from '../lib/db/db.ts';
import type { DB } from '../schema/tables.ts';
import type { Context } from './context.ts';

export type Database = Db<DB>;
export type Tx = Transaction<DB>;

/**
 * Runs `work` in one transaction that sees and writes the rows of `ctx`'s workspace only (row-level security).
 * Throws what `work` throws, after rolling back; Failure 'unavailable' when the database does not answer.
 */
export function tenant<T>(
  db: Database,
  ctx: Pick<Context, 'organizationId' | 'workspaceId'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return transaction(
    db,
    { role: 'lastro_app', 'app.organization_id': ctx.organizationId, 'app.workspace_id': ctx.workspaceId },
    work,
  );
}

/** Runs `work` in one transaction that sees every workspace. `job` names the few things that may: recognising a key, sweeping. */
export function system<T>(db: Database, job: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(db, { role: 'lastro_system', 'app.job': job }, work);
}

/** Runs `work` in one transaction that sees the versions of the graph model and no customer's rows. */
export function graphModel<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(db, { role: 'lastro_gfm' }, work);
}
