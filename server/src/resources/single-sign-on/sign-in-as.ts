import type { Role } from '../../access/authorize.ts';
import { type Context, organizationContext } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { system, type Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { Failure } from '../../lib/failure.ts';
import type { Head } from '../../lib/http/server.ts';
import { record, recordAs } from '../../trail/record.ts';
import type { Doer } from '../../trail/record-of-user.ts';
import { recordOfUser } from '../../trail/record-of-user.ts';
import type { App } from '../app.ts';
import { findOwner } from '../domains/find.ts';
import { acceptOpen } from '../invitations/accept.ts';
import { sendMail } from '../mails/send.ts';
import { addressChanged, type Language, signsInElsewhere } from '../mails/texts.ts';
import { addMember } from '../members/add.ts';
import { beginSession } from '../sessions/begin.ts';
import { doerOf } from '../sessions/doer.ts';
import { type Connection, holdConnection } from '../sso-connections/find.ts';
import { addUser, proveEmail } from '../users/add.ts';
import { canonicalEmail, readEmail } from '../users/email.ts';
import { findUser, findUserByEmail } from '../users/find.ts';
import {
  hasIdentity,
  insertIdentity,
  isMember,
  isMemberElsewhere,
  lockAddress,
  selectIdentity,
  wasRemoved,
} from './sql.ts';

/** Who a provider says has signed in there, and where they go from here. */
export type Identity = {
  readonly subject: string;
  readonly email: string | undefined;
  /** What the provider says about the address; undefined when it says nothing. */
  readonly isVerified?: boolean | undefined;
  readonly name: string | undefined;
  readonly authenticatedAt: Date | null;
  readonly method: 'oidc' | 'saml';
  readonly returnTo: string;
};

export type SignedIn = { readonly returnTo: string; readonly cookies: readonly string[] };

/**
 * Signs somebody in by the word of a provider, who is known by their subject at the connection, and made a member of
 * its organization the first time. The word counts for addresses of domains that the organization has proved, and for
 * nobody whom the organization has removed. Throws Failure 'sso_refused', 'not_found'.
 */
export async function signInAs(app: App, head: Head, connectionId: string, who: Identity): Promise<SignedIn> {
  return system(app.db, 'single sign-on', async (tx) => {
    const connection = await holdConnection(tx, connectionId);
    const email = await requireAddress(tx, connection, who);
    const user = await findOrMake(app, tx, head, connection, { ...who, email });
    const { cookies, sessionId } = await beginSession(app, tx, head, {
      user,
      method: who.method,
      through: { connectionId, authenticatedAt: who.authenticatedAt },
    });
    const ctx = contextFor(connection.organization_id, doerOf(head, user));
    const told = { connection_id: connectionId, session_id: sessionId };
    await record(tx, ctx, 'sso-authentication', { type: 'user', id: user.id }, told);
    return { returnTo: who.returnTo, cookies };
  });
}

/** Runs a step of a sign-in, and leaves an entry in the organization's trail if it is refused. */
export async function recordingRefusal<T>(
  app: App,
  head: Head,
  { id, organization_id }: Connection,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof Failure && error.code === 'unauthenticated') {
      const nobody = { actor: { type: 'system', id: null, label: 'single sign-on' } } as const;
      const ctx = contextFor(organization_id, { ...doerOf(head, { id: '', email: '' }), ...nobody });
      await system(app.db, 'single sign-on', (tx) =>
        recordAs(tx, ctx, 'sso-authentication', { type: 'sso_connection', id }, 'denied'),
      );
    }
    throw error;
  }
}

/** The address, if the provider's word about it counts. Throws Failure 'sso_refused'. */
async function requireAddress(
  tx: Tx,
  { organization_id }: Connection,
  { email, isVerified }: Identity,
): Promise<string> {
  if (email === undefined) throw refuse('sso_refused', 'the provider does not tell the mail address of the person');
  if (isVerified === false) throw refuse('sso_refused', 'the provider has not verified the mail address of the person');
  const read = readAddress(email);
  if (read === undefined || (await findOwner(tx, read)) !== organization_id)
    throw refuse('sso_refused', 'the mail address is in no domain that the organization has proved');
  return read;
}

function readAddress(email: string): string | undefined {
  try {
    return readEmail(email);
  } catch {
    return undefined;
  }
}

type Known = { readonly id: string; readonly email: string; readonly language: string };

async function findOrMake(
  app: App,
  tx: Tx,
  head: Head,
  connection: Connection,
  { subject, email, name }: Identity & { readonly email: string },
): Promise<Known> {
  const { id: connectionId, organization_id: organizationId } = connection;
  const known = await selectIdentity(tx, connectionId, subject);
  if (known !== undefined) {
    const user = await findUser(tx, known);
    if (!user) throw refuse('sso_refused', 'the account has been suspended or deleted');
    const kept = await keepAddress(app, tx, head, connection, { user, email });
    await requireMembership(tx, head, connection, kept, false);
    return kept;
  }
  // Whoever signs in for the first time by another connection at the same moment waits, and is found then.
  await lockAddress(tx, canonicalEmail(email));
  const found = await findUserByEmail(tx, email);
  if (!found) {
    const id = await addUser(tx, { email, ...(name ? { name } : {}), isVerified: true });
    const user = { id, email, language: 'en' };
    await insertIdentity(tx, { connectionId, subject, userId: id });
    await requireMembership(tx, head, connection, user, !(await wasRemoved(tx, organizationId, user)));
    await recordOfUser(tx, doerOf(head, user), id, 'user-creation');
    return user;
  }
  // An address that is given to somebody else, or that somebody gives themselves there, leads to nobody's account.
  if (await hasIdentity(tx, connectionId, found.id))
    throw refuse('sso_refused', 'the mail address is of an account that the provider knows as somebody else');
  await requireMembership(tx, head, connection, found, !(await wasRemoved(tx, organizationId, found)));
  await insertIdentity(tx, { connectionId, subject, userId: found.id });
  await sendMail(app, tx, found.email, signsInElsewhere(found.language as Language, connection.name));
  if (found.email_verified_at === null) await proveEmail(tx, found.id, found.email);
  return found;
}

/**
 * Takes over another address that the provider tells, unless it is somebody else's, or the account has meanwhile got
 * one that is not the organization's: by its address an account is recovered.
 */
async function keepAddress(
  app: App,
  tx: Tx,
  head: Head,
  { organization_id }: Connection,
  { user, email }: { readonly user: Known; readonly email: string },
): Promise<Known> {
  if (canonicalEmail(email) === canonicalEmail(user.email)) return user;
  const isOurs = (await findOwner(tx, user.email)) === organization_id;
  if (!isOurs || (await findUserByEmail(tx, email))) return user;
  await proveEmail(tx, user.id, email);
  await recordOfUser(tx, doerOf(head, user), user.id, 'user-update', {
    payload: { changed: ['email'], from: canonicalEmail(user.email), to: canonicalEmail(email) },
  });
  await sendMail(app, tx, user.email, addressChanged(user.language as Language, email));
  return { ...user, email };
}

/**
 * Has somebody be a member of the connection's organization: by open invitations, or else, with `mayJoin`, in the role
 * of the connection. Throws Failure 'sso_refused'.
 */
async function requireMembership(
  tx: Tx,
  head: Head,
  connection: Connection,
  user: Known,
  mayJoin: boolean,
): Promise<void> {
  const { organization_id: organizationId, default_role, default_workspace_id: workspaceId } = connection;
  if (await isMember(tx, organizationId, user.id)) return;
  // Otherwise the provider of one organization would learn of another, and act for its member.
  if (await isMemberElsewhere(tx, organizationId, user.id))
    throw refuse(
      'sso_refused',
      'the account is of another organization: sign in to it, and accept an invitation first',
    );
  const doer = doerOf(head, user);
  if ((await acceptOpen(tx, doer, organizationId, user)) > 0) return;
  if (!mayJoin) throw refuse('sso_refused', 'the account was removed from the organization: ask to be invited again');
  const ctx = { ...contextFor(organizationId, doer), workspaceId } as Context<Scope>;
  await addMember(tx, ctx, { userId: user.id, email: user.email, role: default_role as Role });
}

function contextFor(organizationId: string, { actor, channel, ip, userAgent, requestId }: Doer): Context<Scope> {
  return { ...organizationContext(organizationId, actor), channel, ip, userAgent, requestId };
}
