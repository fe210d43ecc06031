import type { Tx } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import { requireHeld } from './allowances/require-held.ts';
import type { StandingResource } from './meters/quota.ts';

/** How much work of each kind a workspace may have that has not ended: what is queued, and what runs. */
export const openWorkMax = {
  batches: 10_000,
  ingestions: 1_000,
  erasures: 10_000,
  'training runs': 200,
  evaluations: 200,
  replays: 20,
  validations: 200,
  backtests: 200,
} as const;

/** Which quota limits a kind further. Nothing keeps a workspace from erasing, replaying or validating. */
const resourceOf = {
  batches: 'open_batches',
  ingestions: 'open_ingestions',
  erasures: null,
  'training runs': 'open_training_runs',
  evaluations: 'open_evaluations',
  replays: null,
  validations: null,
  backtests: null,
} as const satisfies Record<keyof typeof openWorkMax, StandingResource | null>;

/**
 * Throws Failure 'limit_exceeded' when a workspace has as much open work of a kind as it may have; requests that arrive
 * together may pass this limit by as many as they are. Throws 'quota_exceeded' at the quota of the workspace or its
 * organization, which is exact. `count` counts no further than it is told.
 */
export async function requireRoom(
  tx: Tx,
  kind: keyof typeof openWorkMax,
  count: (tx: Tx, most: number) => Promise<number>,
): Promise<void> {
  const most = openWorkMax[kind];
  if ((await count(tx, most)) >= most)
    throw refuse(
      'limit_exceeded',
      `${most} ${kind} of this workspace are queued or running, which is the most it may have: send more when some have ended, or interrupt some`,
    );
  const resource = resourceOf[kind];
  if (resource !== null) await requireHeld(tx, resource, 1);
}
