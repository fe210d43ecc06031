import type { Role } from '../../access/authorize.ts';
import { type Context, organizationContext } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { system, type Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { checkToken, hashToken } from '../../lib/crypto/tokens.ts';
import type { Head } from '../../lib/http/server.ts';
import { record } from '../../trail/record.ts';
import { type Doer, recordOfUser } from '../../trail/record-of-user.ts';
import type { App } from '../app.ts';
import { requireOwnSignIn } from '../domains/find.ts';
import type { Language } from '../mails/texts.ts';
import { addMember } from '../members/add.ts';
import { checkPolicy } from '../passwords/policy.ts';
import { setPassword } from '../passwords/set.ts';
import { type Begun, beginSession } from '../sessions/begin.ts';
import { doerOf } from '../sessions/doer.ts';
import { addUser } from '../users/add.ts';
import { canonicalEmail } from '../users/email.ts';
import { findUser, findUserByEmail } from '../users/find.ts';
import { invitationPrefix } from './create.ts';
import { isAcceptable, takeInvitation, takeOpen } from './sql.ts';

/** Somebody who has no account yet. */
export type Newcomer = { readonly name: string; readonly password: string; readonly language: Language };

/**
 * Accepts an invitation for whoever is signed in, whose address must be the invited one.
 * Throws Failure 'token_invalid', 'wrong_address'.
 */
export async function acceptAs(app: App, doer: Doer, token: string): Promise<void> {
  await system(app.db, 'accept invitation', async (tx) => {
    const invited = await take(tx, token);
    const user = await findUser(tx, doer.actor.id!);
    if (!user || canonicalEmail(user.email) !== invited.email_canonical)
      throw refuse('wrong_address', 'the invitation is to another address than that of your account');
    await join(tx, doer, invited, user);
  });
}

/**
 * Accepts an invitation for somebody without an account: the token proves the address, an account is made, and its user
 * signed in. Throws Failure 'token_invalid', 'sign_in_first' when the address has an account, 'sso_required',
 * 'weak_password', 'rate_limited'.
 */
export async function acceptAsNewcomer(
  app: App,
  head: Head,
  token: string,
  { name, password, language }: Newcomer,
): Promise<Begun & { userId: string }> {
  checkPolicy(password, [name]);
  if (!(await system(app.db, 'accept invitation', (tx) => isAcceptable(tx, hashToken(token))))) throw gone();
  const phc = await app.hasher.make(password);
  return system(app.db, 'accept invitation', async (tx) => {
    const invited = await take(tx, token);
    const { email } = invited;
    await requireOwnSignIn(tx, email);
    if (await findUserByEmail(tx, email))
      throw refuse('sign_in_first', 'the invited address has an account: sign in, and accept then');
    checkPolicy(password, [email, email.split('@')[0], name]);
    const id = await addUser(tx, { email, name, language, isVerified: true });
    await setPassword(tx, id, phc);
    const doer = doerOf(head, { id, email });
    await join(tx, doer, invited, { id, email });
    await recordOfUser(tx, doer, id, 'user-creation');
    return {
      ...(await beginSession(app, tx, head, { user: { id, email, language }, method: 'password' })),
      userId: id,
    };
  });
}

/**
 * Accepts all open invitations of an address to an organization and its workspaces, for somebody whose address has been
 * proved, in a transaction of the system. Returns how many there were.
 */
export async function acceptOpen(
  tx: Tx,
  doer: Doer,
  organizationId: string,
  user: { id: string; email: string },
): Promise<number> {
  const open = await takeOpen(tx, organizationId, canonicalEmail(user.email));
  for (const invited of open) await join(tx, doer, invited, user);
  return open.length;
}

type Invited = Awaited<ReturnType<typeof take>>;

/** Takes the invitation of a token: of two who accept at once, one does. */
async function take(tx: Tx, token: string) {
  const row = checkToken(token) === invitationPrefix ? await takeInvitation(tx, hashToken(token)) : undefined;
  if (!row) throw gone();
  return row;
}

function gone() {
  return refuse('token_invalid', 'the invitation has been accepted, revoked, sent again, or is older than 7 days');
}

async function join(tx: Tx, doer: Doer, invited: Invited, user: { id: string; email: string }): Promise<void> {
  const { actor, channel, ip, userAgent, requestId } = doer;
  const ctx = {
    ...organizationContext(invited.organization_id, actor),
    ...{ workspaceId: invited.workspace_id, channel, ip, userAgent, requestId },
  } as Context<Scope>;
  await addMember(tx, ctx, { userId: user.id, email: user.email, role: invited.role as Role });
  await record(tx, ctx, 'invitation-acceptance', { type: 'invitation', id: invited.id }, { user_id: user.id });
}
