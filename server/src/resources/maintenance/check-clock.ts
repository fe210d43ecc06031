import { system } from '../../access/transactions.ts';
import type { App } from '../app.ts';
import { selectClock } from './sql.ts';

/** Receivers of webhooks, and readers of signed addresses, allow for minutes. */
const skewMaxMs = 30_000;

/**
 * Holds the clock of this machine against that of the database, which says when something is due, was recorded and was
 * signed, and logs an error when they are further apart than half a minute. Returns by how many milliseconds this
 * machine is ahead.
 */
export async function checkClock({ db, log }: Pick<App, 'db' | 'log'>): Promise<number> {
  const before = Date.now();
  const databaseMs = await system(db, 'check the clock', selectClock);
  const aheadMs = Math.round((before + Date.now()) / 2 - databaseMs);
  if (Math.abs(aheadMs) > skewMaxMs)
    log.error({ aheadMs }, "the clock of this machine is not the database's: set both by a time server");
  return aheadMs;
}
