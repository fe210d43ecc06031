import type { Context } from '../access/context.ts';
import { tenant } from '../access/transactions.ts';
import { refuse } from '../errors.ts';
import { requireHeld } from '../resources/allowances/require-held.ts';
import type { App } from '../resources/app.ts';

export type SpoolLimits = {
  /** Of all that one workspace is sending to this process. */
  readonly spooledBytesMax: number;
  /** After so many bytes more the quota of what a workspace may store is looked at again. */
  readonly quotaEveryBytes: number;
};

/** The room that spools of one process take, by workspace. */
export type SpoolRoom = {
  /** A share for one spool; `known` of its bytes are stored already, and count as such. */
  open(ctx: Context, known: number): SpoolShare;
};

export type SpoolShare = {
  /** Takes room for so many bytes in all. Throws Failure 'insufficient_storage', 'quota_exceeded'. */
  resize(bytes: number): Promise<void>;
  release(): void;
};

type Taken = { spools: number; spooled: number; unstored: number; unlooked: number; looking: Promise<void> | null };

/**
 * Bounds what workspaces spool before any of it is stored: their bytes on the disk of this process, and these with what
 * is stored by the quota of that. The quota is held exactly when a file is closed; here a file that certainly goes
 * beyond it is refused while it is sent.
 */
export function openSpoolRoom({ db }: Pick<App, 'db'>, { spooledBytesMax, quotaEveryBytes }: SpoolLimits): SpoolRoom {
  const byWorkspace = new Map<string, Taken>();
  const look = async (ctx: Context, taken: Taken): Promise<void> => {
    // What is stored is told in whole megabytes, rounded up.
    const megabytes = Math.max(0, Math.floor(taken.unstored / 1e6) - 1);
    await tenant(db, ctx, (tx) => requireHeld(tx, 'stored_megabytes', megabytes));
    taken.unlooked = 0;
  };
  return {
    open(ctx, known) {
      const { workspaceId } = ctx;
      const taken = byWorkspace.get(workspaceId) ?? { spools: 0, spooled: 0, unstored: 0, unlooked: 0, looking: null };
      byWorkspace.set(workspaceId, taken);
      taken.spools++;
      let own = 0;
      const change = (bytes: number): void => {
        const unstored = Math.max(0, bytes - known) - Math.max(0, own - known);
        taken.spooled += bytes - own;
        taken.unstored += unstored;
        taken.unlooked += Math.max(0, unstored);
        own = bytes;
      };
      return {
        async resize(bytes) {
          if (bytes > own && taken.spooled + bytes - own > spooledBytesMax) {
            const message = `the workspace sends more than ${spooledBytesMax} bytes at once: send the rest when other files are whole`;
            throw refuse('insufficient_storage', message);
          }
          change(bytes);
          if (taken.unlooked < quotaEveryBytes) return;
          taken.looking ??= look(ctx, taken).finally(() => {
            taken.looking = null;
          });
          await taken.looking;
        },
        release() {
          change(0);
          if (--taken.spools === 0) byWorkspace.delete(workspaceId);
        },
      };
    },
  };
}
