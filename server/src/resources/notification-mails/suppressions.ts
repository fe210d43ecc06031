import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { type Database, system } from '../../access/transactions.ts';
import { findPerson } from '../api-keys/find-person.ts';
import { findUser } from '../users/find.ts';
import { type SuppressionRow, selectSuppressions } from './sql.ts';

/** Why no mail is sent to the address of whoever asks; null if mails are. */
export function findSuppression(db: Database, ctx: Context<Scope>) {
  return system(db, 'find suppression', async (tx) => {
    const user = await findUser(tx, await findPerson(tx, ctx));
    if (!user) return null;
    const row = (await selectSuppressions(tx, user.id)).find(({ email }) => email === user.email);
    return row ? presentSuppression(row) : null;
  });
}

export function presentSuppression({ created_at, ...row }: SuppressionRow) {
  return { ...row, created_at: created_at.toISOString() };
}
