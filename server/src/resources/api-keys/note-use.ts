import type { KeyUse } from '../../access/credentials/api-key.ts';
import { type Database, system } from '../../access/transactions.ts';
import { updateUse } from './sql.ts';

/** Notes when, from where and by what program a key was used last. */
export function noteUse(db: Database, use: KeyUse): Promise<void> {
  return system(db, 'note use', (tx) => updateUse(tx, use));
}
