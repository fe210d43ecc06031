import type { Tx } from '../../access/transactions.ts';
import { meterLock } from './sql.ts';

/** Keeps everybody from metering until the transaction ends. Waits for who does so now. */
export function lockMeter(tx: Tx): Promise<void> {
  return meterLock(tx);
}
