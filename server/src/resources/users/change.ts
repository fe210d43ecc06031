import type { Tx } from '../../access/transactions.ts';
import type { Language } from '../mails/texts.ts';
import { markDeleted, updateUser } from './sql.ts';

/** Changes the name or the language of a user. */
export function editUser(
  tx: Tx,
  id: string,
  change: { readonly name?: string; readonly language?: Language },
): Promise<void> {
  return updateUser(tx, id, change);
}

/** Takes name and address off a user; the id stays, which the trail knows. */
export function closeUser(tx: Tx, id: string): Promise<void> {
  return markDeleted(tx, id);
}
