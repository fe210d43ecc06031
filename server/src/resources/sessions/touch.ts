import type { SeenSession } from '../../access/credentials/session.ts';
import type { Tx } from '../../access/transactions.ts';
import { updateSeen } from './sql.ts';

/** Notes that a session and its device were used. */
export function touchSession(tx: Tx, session: SeenSession): Promise<void> {
  return updateSeen(tx, session);
}
