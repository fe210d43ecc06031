import { system, type Tx } from '../../access/transactions.ts';
import type { App } from '../app.ts';
import { deleteDeliveries, deletePayloads } from './deliveries/sql.ts';
import { deleteEndedSecrets } from './sql.ts';

/** How long what was sent is kept to be sent again, and how long it can be read what became of it. */
export const payloadDays = 30;
export const deliveryDays = 180;
const most = 1_000;

/** Deletes what is no longer kept, in pieces, until none is left or `signal` aborts. */
export async function expireDeliveries({ db }: Pick<App, 'db'>, signal?: AbortSignal): Promise<void> {
  await system(db, 'expire webhook secrets', deleteEndedSecrets);
  const pieces: ((tx: Tx) => Promise<number>)[] = [
    (tx) => deletePayloads(tx, payloadDays, most),
    (tx) => deleteDeliveries(tx, deliveryDays, most),
  ];
  for (const piece of pieces)
    for (let count = most; count === most && !signal?.aborted; )
      count = await system(db, 'expire webhook deliveries', piece);
}
