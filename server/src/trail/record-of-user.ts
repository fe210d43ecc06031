import type { Context } from '../access/context.ts';
import { organizationContext } from '../access/context.ts';
import type { AnyScope } from '../access/scope.ts';
import type { Tx } from '../access/transactions.ts';
import type { Target } from './audit-entry.ts';
import type { AuditAction } from './catalog.ts';
import { record, recordAs } from './record.ts';

/** Who did something about a user's account, and how the request came in. */
export type Doer = Pick<Context<AnyScope>, 'actor' | 'channel' | 'ip' | 'userAgent' | 'requestId'>;

/**
 * Records what happened to a user's account, such as a sign-in, in each organization in which the user has a role, and
 * in its own transaction: `tx` is of the system.
 */
export async function recordOfUser(
  tx: Tx,
  doer: Doer,
  userId: string,
  action: AuditAction,
  {
    target = { type: 'user', id: userId },
    payload = {},
    outcome = 'succeeded',
  }: {
    readonly target?: Target;
    readonly payload?: Readonly<Record<string, unknown>>;
    readonly outcome?: 'succeeded' | 'denied';
  } = {},
): Promise<void> {
  const { actor, channel, ip, userAgent, requestId } = doer;
  const rows = await tx
    .selectFrom('grants')
    .select('organization_id')
    .distinct()
    .where('user_id', '=', userId)
    .orderBy('organization_id')
    .execute();
  for (const { organization_id } of rows) {
    const ctx = { ...organizationContext(organization_id, actor), channel, ip, userAgent, requestId };
    await (outcome === 'succeeded'
      ? record(tx, ctx, action, target, payload)
      : recordAs(tx, ctx, action, target, outcome));
  }
}
