import { system } from '../../../access/transactions.ts';
import type { App } from '../../app.ts';
import { markFull } from './sql.ts';

/** Most deliveries that wait for one address. What happens while so many do is left out, and can be recovered. */
export const waitingMax = 100_000;

/** Notes for which addresses no more is to be queued. */
export function boundWaiting({ db }: Pick<App, 'db'>, most = waitingMax): Promise<void> {
  return system(db, 'bound what waits for webhooks', (tx) => markFull(tx, most));
}
