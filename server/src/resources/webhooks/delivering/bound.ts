import { system } from '../../../access/transactions.ts';
import type { App } from '../../app.ts';
import { markFull } from './sql.ts';

/** Notes for which webhooks as many deliveries wait as may: no more are queued for them. */
export function boundWaiting({ db, webhooks }: Pick<App, 'db' | 'webhooks'>): Promise<void> {
  return system(db, 'bound what waits for webhooks', (tx) => markFull(tx, webhooks.waitingMax));
}
