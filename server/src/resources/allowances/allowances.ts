import type { Context } from '../../access/context.ts';
import type { Pace } from '../../access/rate-limit.ts';
import { type Database, system } from '../../access/transactions.ts';
import { openWindows, type Windows } from '../../access/windows.ts';
import { refuse } from '../../errors.ts';
import type { QuotaResource } from '../meters/quota.ts';
import type { Allowance, QuotaUse } from './allowance.ts';
import { selectAllowance } from './sql.ts';

export type Allowances = {
  /**
   * Throws Failure 'quota_exceeded' when a quota of the resource is used up, in the workspace or its organization; and
   * of predictions 'rate_limited' when this process has let in as many within a second as it may.
   */
  require(ctx: Context, resource: QuotaResource): Promise<void>;
  /** The limits of requests in a minute that the price plan gives the workspace, as far as this process knows them. */
  ratesOf(workspaceId: string): Allowance['rates'];
};

/** What is known is renewed behind a request when it is older than this, which delays nobody. */
export const renewedAfterMs = 1_000;
/** A request waits for what is older than this. */
export const trustedForMs = 5_000;
/** Rates change with the price plan alone. */
const ratesRenewedAfterMs = 60_000;
const workspacesMax = 10_000;

type Known = { readonly allowance: Allowance; readonly readAt: number };

/**
 * Keeps in memory what workspaces may use, and what they have used by what has been metered. A request is checked
 * against what this process knows, so that what comes in between an act and its metering passes beyond a quota.
 */
export function openAllowances(db: Database, log: { warn(about: object, text: string): void }): Allowances {
  const known = new Map<string, Known>();
  const reading = new Map<string, Promise<Known | undefined>>();
  const seconds = openWindows(1_000, () => performance.now());
  const renew = (workspaceId: string): Promise<Known | undefined> => {
    let asked = reading.get(workspaceId);
    if (asked) return asked;
    const readAt = performance.now();
    asked = system(db, 'allowance', (tx) => selectAllowance(tx, workspaceId))
      .then((allowance) => {
        if (known.size >= workspacesMax) known.delete(known.keys().next().value!);
        known.delete(workspaceId);
        if (allowance) known.set(workspaceId, { allowance, readAt });
        return known.get(workspaceId);
      })
      .finally(() => reading.delete(workspaceId));
    reading.set(workspaceId, asked);
    return asked;
  };
  /** What is known, renewed behind it when it is older than `afterMs`. */
  const look = (workspaceId: string, afterMs: number): Known | undefined => {
    const found = known.get(workspaceId);
    if (!found || performance.now() - found.readAt > afterMs)
      renew(workspaceId).catch((error) => log.warn({ err: error, workspace: workspaceId }, 'allowance not read'));
    return found;
  };
  return {
    async require({ organizationId, workspaceId }, resource) {
      const found = look(workspaceId, renewedAfterMs);
      const isTrusted = found !== undefined && performance.now() - found.readAt < trustedForMs;
      const now = isTrusted ? found : await renew(workspaceId);
      if (now) requireWithin(now.allowance, resource);
      if (now && resource === 'predictions') requirePace(now.allowance, seconds, { organizationId, workspaceId });
    },
    ratesOf: (workspaceId) => look(workspaceId, ratesRenewedAfterMs)?.allowance.rates ?? {},
  };
}

function requireWithin({ quotas, resetsAt }: Allowance, resource: QuotaResource): void {
  const full = quotas.find((quota) => quota.resource === resource && quota.used !== null && quota.used >= quota.limit);
  if (full) throw exceeded(full, resetsAt);
}

function requirePace(
  { quotas }: Allowance,
  seconds: Windows,
  { organizationId, workspaceId }: Pick<Context, 'organizationId' | 'workspaceId'>,
): void {
  for (const { resource, of, limit } of quotas) {
    if (resource !== 'predictions_per_second') continue;
    if (seconds.count(of === 'workspace' ? workspaceId : organizationId).used <= limit) continue;
    throw refuse('rate_limited', `more than ${limit} predictions in a second in this ${of}`, {
      headers: { 'retry-after': '1' },
    });
  }
}

function exceeded({ resource, of, limit, used }: QuotaUse, resetsAt: Date) {
  const seconds = Math.max(1, Math.ceil((resetsAt.getTime() - Date.now()) / 1000));
  return refuse(
    'quota_exceeded',
    `the ${of} has used ${used} of the ${limit} ${resource} that it may use in a month; the next month begins at ${resetsAt.toISOString()}`,
    { headers: { 'retry-after': String(seconds) } },
  );
}

/** The limits of requests in a minute: those of the price plan, or else those of the installation. */
export function ratesWithin(
  allowances: Allowances,
  installation: Readonly<Record<Pace, number>>,
): (workspaceId: string) => Readonly<Record<Pace, number>> {
  return (workspaceId) => ({ ...installation, ...allowances.ratesOf(workspaceId) });
}
