import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { QuotaResource } from '../meters/quota.ts';
import type { QuotaUse } from './allowance.ts';
import { selectAllowance } from './sql.ts';

/** What is taken of a resource already in a month, and what a piece of work would take of it. */
type Wanted = {
  readonly resource: QuotaResource;
  readonly taken: Readonly<Record<QuotaUse['of'], number>>;
  readonly more: number;
  /** What would take it, as the refusal names it. */
  readonly what: string;
};

/**
 * Requires that the quotas of a workspace and of its organization leave so much of a resource as a piece of work would
 * take. `tx` is of the system. Throws Failure 'quota_exceeded'.
 */
export async function requireLeft(tx: Tx, workspaceId: string, { resource, taken, more, what }: Wanted): Promise<void> {
  const allowance = await selectAllowance(tx, workspaceId);
  for (const { of, limit, ...quota } of allowance?.quotas ?? []) {
    if (quota.resource !== resource || taken[of] + more <= limit) continue;
    throw refuse(
      'quota_exceeded',
      `the ${of} may use ${limit} ${resource} in a month, of which ${taken[of]} are used or reserved, and ${what} has ${more}; the next month begins at ${allowance!.resetsAt.toISOString()}`,
    );
  }
}
