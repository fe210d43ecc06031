import type { Context } from '../access/context.ts';
import { organizationContext } from '../access/context.ts';
import type { AnyScope, OrganizationScope } from '../access/scope.ts';
import type { Tx } from '../access/transactions.ts';
import type { accountActs } from './acts/accounts.ts';
import type { Target } from './audit-entry.ts';
import type { PayloadOf } from './catalog.ts';
import { record, recordAgain, recordAs } from './record.ts';

/** Who did something about a user's account, and how the request came in. */
export type Doer = Pick<Context<AnyScope>, 'actor' | 'channel' | 'ip' | 'userAgent' | 'requestId'>;

/**
 * Records what happened to a user's account, such as a sign-in, in each organization in which the user has a role, and
 * in its own transaction: `tx` is of the system.
 */
export async function recordOfUser<A extends AccountAct>(
  tx: Tx,
  doer: Doer,
  userId: string,
  action: A,
  ...[{ target = { type: 'user', id: userId }, payload } = {}]: About<A>
): Promise<void> {
  // The cast holds: `About` wants whatever else the payload needs.
  const said = { user_id: userId, ...payload } as unknown as PayloadOf<A>;
  await inEachOrganization(tx, doer, userId, (ctx, at) =>
    (at === 0 ? record : recordAgain)<AccountAct>(tx, ctx, action, target, said),
  );
}

/** Records in the same places that an act about a user's account was refused. */
export async function recordDenialOfUser(
  tx: Tx,
  doer: Doer,
  userId: string,
  action: AccountAct,
  target: Target,
): Promise<void> {
  await inEachOrganization(tx, doer, userId, (ctx) => recordAs(tx, ctx, action, target, 'denied'));
}

type AccountAct = keyof typeof accountActs;
type Own<A extends AccountAct> = Omit<PayloadOf<A>, 'user_id'>;
/** What else is said of an act: its target, if it is not the user, and its payload without the user's id. */
type About<A extends AccountAct> =
  Record<never, never> extends Own<A>
    ? [about?: { readonly target?: Target; readonly payload?: Own<A> }]
    : [about: { readonly target?: Target; readonly payload: Own<A> }];

async function inEachOrganization(
  tx: Tx,
  doer: Doer,
  userId: string,
  leave: (ctx: Context<OrganizationScope>, at: number) => Promise<void>,
): Promise<void> {
  const { actor, channel, ip, userAgent, requestId } = doer;
  const rows = await tx
    .selectFrom('grants')
    .select('organization_id')
    .distinct()
    .where('user_id', '=', userId)
    .orderBy('organization_id')
    .execute();
  for (const [at, { organization_id }] of rows.entries())
    await leave({ ...organizationContext(organization_id, actor), channel, ip, userAgent, requestId }, at);
}
