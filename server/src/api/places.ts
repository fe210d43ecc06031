import type { Context } from '../access/context.ts';
import { refuse } from '../errors.ts';

/** The maximum number of answers that are being sent at once in this process. */
type PlaceLimits = { readonly perKey: number; readonly perWorkspace: number };

export type Places = {
  /** Takes a place. Returns the function that releases it. Throws Failure 'rate_limited' when none is left. */
  take(ctx: Pick<Context, 'actor' | 'workspaceId'>): () => void;
};

const retryAfterSeconds = 30;

/** Opens places for answers that take long to send. `what` names them, several of them, in refusals. */
export function openPlaces(what: string, { perKey, perWorkspace }: PlaceLimits): Places {
  const taken = new Map<string, number>();
  const add = (holder: string, change: 1 | -1): void => {
    const count = (taken.get(holder) ?? 0) + change;
    if (count > 0) taken.set(holder, count);
    else taken.delete(holder);
  };
  return {
    take({ actor, workspaceId }) {
      const limits = [
        [`${workspaceId} ${actor.type} ${actor.id}`, perKey, 'this key'],
        [workspaceId, perWorkspace, 'this workspace'],
      ] as const;
      for (const [holder, most, whose] of limits)
        if ((taken.get(holder) ?? 0) >= most)
          throw refuse('rate_limited', `${whose} has ${most} open ${what}, the most there may be: close one`, {
            headers: { 'retry-after': String(retryAfterSeconds) },
          });
      for (const [holder] of limits) add(holder, 1);
      let isTaken = true;
      return () => {
        if (isTaken) for (const [holder] of limits) add(holder, -1);
        isTaken = false;
      };
    },
  };
}
