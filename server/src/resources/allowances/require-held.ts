import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { quotaWords, type StandingResource } from '../meters/quota.ts';
import { lockHeld } from './sql.ts';

/** When it is worth asking again whether work has ended. */
const retrySeconds = 10;

/**
 * Requires that the quotas of what there is at once leave room for `more` of a resource, beside what the transaction
 * has written. Throws Failure 'quota_exceeded'.
 */
export async function requireHeld(tx: Tx, resource: StandingResource, more: number): Promise<void> {
  for (const { of, limit, used } of await lockHeld(tx, resource)) {
    if (used! + more <= limit) continue;
    const may = `the ${of} may have ${limit} ${quotaWords[resource]}`;
    if (resource === 'stored_megabytes')
      throw refuse('quota_exceeded', `${may}, and with this it would have ${used! + more}: delete files or results`);
    throw refuse(
      'quota_exceeded',
      `${may} at once, and has ${used}: send more when some have ended, or interrupt some`,
      {
        headers: { 'retry-after': String(retrySeconds) },
      },
    );
  }
}
