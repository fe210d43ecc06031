import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { hasWorkspace, selectForOperator } from './sql.ts';

/** An organization as the operator sees it, in a transaction of the system. Throws Failure 'not_found'. */
export async function requireOrganization(tx: Tx, id: string) {
  const row = await selectForOperator(tx, id);
  if (!row) throw refuse('not_found', `there is no organization ${id}`);
  return row;
}

/**
 * Throws Failure 'not_found' for a workspace that the organization does not have; `at` is the field that names it, if a
 * body does.
 */
export async function requireWorkspace(tx: Tx, organizationId: string, id: string, at?: string): Promise<void> {
  if (await hasWorkspace(tx, organizationId, id)) return;
  const message = `the organization has no workspace ${id}`;
  throw refuse('not_found', message, at === undefined ? {} : { problems: [{ at, message }] });
}
