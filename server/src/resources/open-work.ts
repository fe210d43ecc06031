import { refuse } from '../errors.ts';

/** How much work of each kind a workspace may have that has not ended: what is queued, and what runs. */
export const openWorkMax = {
  batches: 10_000,
  ingestions: 1_000,
  erasures: 10_000,
  'training runs': 200,
  evaluations: 200,
} as const;

/**
 * Throws Failure 'limit_exceeded' when a workspace has as much open work of a kind as it may have. Requests that arrive
 * together may pass the limit by as many as they are. `count` counts no further than it is told.
 */
export async function requireRoom(
  kind: keyof typeof openWorkMax,
  count: (most: number) => Promise<number>,
): Promise<void> {
  const most = openWorkMax[kind];
  if ((await count(most)) < most) return;
  throw refuse(
    'limit_exceeded',
    `${most} ${kind} of this workspace are queued or running, which is the most it may have: send more when some have ended, or interrupt some`,
  );
}
