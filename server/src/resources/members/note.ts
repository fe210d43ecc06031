import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import { insertMembershipEvent, type MembershipEvent } from './sql.ts';

/** Adds to the history of members what became of an invitation. */
export function noteInvitation(tx: Tx, ctx: Context<Scope>, event: MembershipEvent): Promise<void> {
  return insertMembershipEvent(tx, ctx, event);
}
