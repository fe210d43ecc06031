import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { selectMaker } from './sql.ts';

/** The id of the user who asks: who is signed in, or who made the key. Throws Failure 'unauthenticated'. */
export async function findPerson(tx: Tx, { actor }: Context<Scope>): Promise<string> {
  const id = actor.type === 'user' ? actor.id : actor.id === null ? undefined : await selectMaker(tx, actor.id);
  if (id === undefined || id === null) throw refuse('unauthenticated', 'nobody is behind this request');
  return id;
}
