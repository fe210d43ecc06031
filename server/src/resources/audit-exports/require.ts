import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { type ExportRow, selectExport } from './sql.ts';

/** An export of the scope. Throws Failure 'not_found'. */
export async function requireExport(tx: Tx, ctx: Context<Scope>, id: string): Promise<ExportRow> {
  const row = await selectExport(tx, ctx, id);
  if (!row) throw refuse('not_found', `there is no export ${id}`);
  return row;
}
