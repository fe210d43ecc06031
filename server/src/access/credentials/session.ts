import { type RawBuilder, sql } from 'kysely';
import { refuse } from '../../errors.ts';
import { checkToken, hashToken } from '../../lib/crypto/tokens.ts';
import { readCookie } from '../../lib/http/cookies.ts';
import type { Head } from '../../lib/http/server.ts';
import type { Principal } from '../actor.ts';
import { permissionsOf, type Role } from '../authorize.ts';
import { isFresh } from '../fresh.ts';
import { openGuesses } from '../guesses.ts';
import { readAllowed, selectAllowed } from '../ip-rules.ts';
import type { OrganizationScope, ScopeKind, UserScope, WorkspaceScope } from '../scope.ts';
import { type Database, system, type Tx } from '../transactions.ts';
import type { CallerHead, Credential } from './credential.ts';

export const sessionCookie = '__Host-lastro-session';
export const deviceCookie = '__Host-lastro-device';
export const sessionPrefix = 'lss';
export const devicePrefix = 'lsd';

/** A session ends after this long without a request, and in any case after its whole life. */
export const idleMs = 30 * 60_000;
export const lifeMs = 12 * 60 * 60_000;
/** How exactly it is known when a session was last used. */
const seenEveryMs = 60_000;

/** A session whose cookie came without that of the device on which it began. */
export type MovedSession = { readonly id: string; readonly userId: string; readonly ip: string };

export type SeenSession = { readonly id: string; readonly deviceId: string };

export type SessionOptions = {
  /** The origin of the service's own pages, from which alone a browser may change anything. */
  readonly origin: () => string;
  /** Notes that a session was used. Called at most once a minute for each. */
  readonly onSeen: (tx: Tx, session: SeenSession) => Promise<void>;
  /** Ends a session that was brought from elsewhere than the device on which it began. */
  readonly onMoved: (session: MovedSession) => Promise<void>;
};

/**
 * Recognises people who are signed in, by the cookie of their session and that of their device. In which workspace or
 * organization they act is said by the header `Lastro-Workspace` or `Lastro-Organization`; who has only one may
 * leave it out. Every read asks the database.
 * Throws Failure 'unauthenticated', 'cross_origin', 'scope_required', 'not_found' for a workspace or organization in
 * which the person has no role.
 */
export function openSessions(db: Database, { origin, onSeen, onMoved }: SessionOptions): Credential {
  const guesses = openGuesses();
  return {
    channel: 'dashboard',
    howTo: 'sign in, and send the cookies of the session',
    recognise(head, scope) {
      const token = readCookie(head, sessionCookie);
      if (token === undefined) return null;
      if (!isSafe(head.method)) requireOrigin(head, origin());
      return async () => {
        if (checkToken(token) !== sessionPrefix) throw signedOut();
        const read = () => system(db, 'authenticate', (tx) => readSession(tx, token, head, scope, onSeen));
        const found = await guesses.look(head.ip, token, read);
        if (!found) throw signedOut();
        if (!('moved' in found)) return found;
        await onMoved(found.moved);
        throw signedOut();
      };
    },
  };
}

/**
 * Refuses a request that a page of another origin has a browser send. Throws Failure 'cross_origin' unless the browser
 * says that the page is of `origin`. `mayBeMissing` admits a request of what is no browser.
 */
export function requireOrigin({ headers }: Pick<Head, 'headers'>, origin: string, mayBeMissing = false): void {
  const said = headers.origin;
  const site = headers['sec-fetch-site'];
  if (said === undefined && (site === 'same-origin' || (site === undefined && mayBeMissing))) return;
  if (said !== undefined && said === new URL(origin).origin) return;
  throw refuse('cross_origin', `a page of ${typeof said === 'string' ? said : 'another origin'} may not ask for this`);
}

const safeMethods: readonly string[] = ['GET', 'HEAD'];

function isSafe(method: string): boolean {
  return safeMethods.includes(method);
}

function signedOut() {
  return refuse('unauthenticated', 'the session has ended: sign in again');
}

type Signed = Omit<Principal<UserScope>, 'permissions' | 'organizationId' | 'workspaceId' | 'allowed' | 'isSuspended'>;

async function readSession(
  tx: Tx,
  token: string,
  head: CallerHead,
  scope: ScopeKind,
  onSeen: SessionOptions['onSeen'],
): Promise<Principal | { moved: MovedSession } | undefined> {
  const row = await selectSession(tx, 'token_hash', hashToken(token));
  if (!row) return undefined;
  const device = readCookie(head, deviceCookie) ?? '';
  if (checkToken(device) !== devicePrefix || hashToken(device) !== row.device_hash)
    return { moved: { id: row.id, userId: row.user_id, ip: head.ip } };
  if (row.last_seen_at.getTime() + seenEveryMs < Date.now()) await onSeen(tx, { id: row.id, deviceId: row.device_id });
  const { signed, how, isHalfProof } = signedOf(row);
  // An account is of no organization, and neither rules nor suspension of any apply to it.
  if (scope === 'user') {
    const nowhere = { organizationId: null, workspaceId: null, permissions: new Set<never>(), allowed: [] };
    const authenticatedAt = isHalfProof ? null : (row.account_authenticated_at?.getTime() ?? null);
    const isBound = how.through !== null && row.is_member_beyond && !isFresh(authenticatedAt);
    const bound = isBound ? { boundTo: how.through! } : {};
    return { ...signed, ...nowhere, ...bound, authenticatedAt, isSuspended: false };
  }
  return scope === 'workspace'
    ? inWorkspace(tx, signed, nameIn(head, 'lastro-workspace'), how)
    : inOrganization(tx, signed, head, how);
}

/**
 * The person of a session in one workspace, by the ids of both; undefined once the session has ended. Throws Failure
 * 'not_found' for a workspace in which the person has no role, and as `openSessions` for how they signed in.
 */
export function readSessionHolder(
  db: Database,
  sessionId: string,
  workspaceId: string,
): Promise<Principal<WorkspaceScope> | undefined> {
  return system(db, 'authenticate', async (tx) => {
    const row = await selectSession(tx, 'id', sessionId);
    if (!row) return undefined;
    const { signed, how } = signedOf(row);
    return inWorkspace(tx, signed, workspaceId, how);
  });
}

type SessionRow = NonNullable<Awaited<ReturnType<typeof selectSession>>>;

function signedOf(row: SessionRow): {
  readonly signed: Signed;
  readonly how: SignedIn;
  readonly isHalfProof: boolean;
} {
  // Who has a second factor proves nothing recent by a password alone: another could add a factor of their own.
  const isHalfProof = row.method === 'password' && row.has_factor && !row.has_second_factor;
  return {
    isHalfProof,
    signed: {
      credentialId: row.id,
      actor: { type: 'user', id: row.user_id, label: row.email },
      expiresAt: row.expires_at.getTime(),
      authenticatedAt: isHalfProof ? null : row.authenticated_at.getTime(),
    },
    how: { hasSecondFactor: row.has_second_factor, method: row.method, through: row.sso_organization_id },
  };
}

async function selectSession(tx: Tx, column: 'token_hash' | 'id', value: string) {
  return tx
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .innerJoin('devices as d', 'd.id', 's.device_id')
    .leftJoin('sso_connections as c', 'c.id', 's.sso_connection_id')
    .select(['s.method', 's.account_authenticated_at', 'c.organization_id as sso_organization_id'])
    .select(['s.id', 's.user_id', 's.device_id', 's.authenticated_at', 's.last_seen_at', 's.expires_at', 'u.email'])
    .select('d.token_hash as device_hash')
    .select([isProvedTwice.as('has_second_factor'), hasFactor(sql.ref('u.id')).as('has_factor')])
    .select(isMemberBeyond.as('is_member_beyond'))
    .where(`s.${column}`, '=', value)
    .where('s.ended_at', 'is', null)
    .where('s.expires_at', '>', sql<Date>`now()`)
    .where('s.last_seen_at', '>', sql<Date>`now() - ${idleMs} * interval '1 ms'`)
    .where('u.status', '=', 'active')
    .executeTakeFirst();
}

/** The person in the workspace that is named, or the only one. */
async function inWorkspace(
  tx: Tx,
  signed: Signed,
  named: string | undefined,
  how: SignedIn,
): Promise<Principal<WorkspaceScope>> {
  const rows = await tx
    .selectFrom('workspaces as w')
    .innerJoin('grants as g', 'g.organization_id', 'w.organization_id')
    .innerJoin('organizations as o', 'o.id', 'w.organization_id')
    .select(['o.second_factor', 'o.single_sign_on', 'o.status as organization_status'])
    .select(isBreakGlass(sql.ref('o.id'), signed.actor.id!).as('is_break_glass'))
    .select(['w.id', 'w.organization_id', 'w.time_zone', 'w.language', 'w.status', 'w.auth_epoch'])
    .select(sql<string[]>`array_agg(g.role)`.as('roles'))
    .select(selectAllowed('dashboard', { organization: 'w.organization_id', workspace: 'w.id' }).as('allowed'))
    .where('g.user_id', '=', signed.actor.id)
    .where((or) => or.or([or('g.workspace_id', 'is', null), or('g.workspace_id', '=', or.ref('w.id'))]))
    .$if(named !== undefined, (query) => query.where('w.id', '=', named!))
    .$if(how.through !== null, (query) => query.where('w.organization_id', '=', how.through!))
    .groupBy(['w.id', 'o.id'])
    .limit(2)
    .execute();
  const row = onlyOne(rows, named, 'workspace');
  requireWay(row, how);
  return {
    ...signed,
    organizationId: row.organization_id,
    workspaceId: row.id,
    timeZone: row.time_zone,
    language: row.language as 'en' | 'pt-BR',
    isArchived: row.status === 'archived',
    authEpoch: row.auth_epoch,
    permissions: permissionsOf(row.roles as Role[], null),
    allowed: readAllowed(row.allowed),
    isSuspended: row.organization_status === 'suspended',
  };
}

/** The person in the organization that the request names, or the only one, with the roles in the whole of it. */
async function inOrganization(
  tx: Tx,
  signed: Signed,
  head: CallerHead,
  how: SignedIn,
): Promise<Principal<OrganizationScope>> {
  const named = nameIn(head, 'lastro-organization');
  const rows = await tx
    .selectFrom('grants as g')
    .innerJoin('organizations as o', 'o.id', 'g.organization_id')
    .select(['g.organization_id', 'o.second_factor', 'o.single_sign_on', 'o.status as organization_status'])
    .select(isBreakGlass(sql.ref('o.id'), signed.actor.id!).as('is_break_glass'))
    .select(sql<string[]>`coalesce(array_agg(g.role) filter (where g.workspace_id is null), '{}')`.as('roles'))
    .select(selectAllowed('dashboard', { organization: 'g.organization_id' }).as('allowed'))
    .where('g.user_id', '=', signed.actor.id)
    .$if(named !== undefined, (query) => query.where('g.organization_id', '=', named!))
    .$if(how.through !== null, (query) => query.where('g.organization_id', '=', how.through!))
    .groupBy(['g.organization_id', 'o.id'])
    .limit(2)
    .execute();
  const row = onlyOne(rows, named, 'organization');
  requireWay(row, how);
  return {
    ...signed,
    organizationId: row.organization_id,
    workspaceId: null,
    permissions: permissionsOf(row.roles as Role[], null),
    allowed: readAllowed(row.allowed),
    isSuspended: row.organization_status === 'suspended',
  };
}

/** Whether a user has a second factor, an app or a passkey, as part of a statement. */
export function hasFactor(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${hasApp(userId)} or exists (select from passkeys as p where p.user_id = ${userId}))`;
}

function hasApp(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from totp_credentials as t where t.user_id = ${userId} and t.confirmed_at is not null)`;
}

/**
 * Whether the user of the session `s` has proved a second factor, as part of a statement. Who has an app cannot sign in
 * by password without it; who has passkeys alone can, and has then proved one factor.
 */
const isProvedTwice = sql<boolean>`(s.method in ('password_totp', 'password_recovery_code', 'passkey')
  or ${hasApp(sql.ref('s.user_id'))})`;

/** Whether the user of the session `s` has a role elsewhere than where its connection `c` leads. */
const isMemberBeyond = sql<boolean>`exists (
  select from grants as g where g.user_id = s.user_id and g.organization_id <> c.organization_id)`;

/** How a user signed in: whether they have a second factor, by what, and through a connection of which organization. */
type SignedIn = { readonly hasSecondFactor: boolean; readonly method: string; readonly through: string | null };

/** How an organization wants its members to sign in. */
type Wanted = { readonly second_factor: string; readonly single_sign_on: string; readonly is_break_glass: boolean };

/** Ways to sign in that are enough for a break-glass admin: with two factors, or by a link of the operator. */
const strongMethods: readonly string[] = ['password_totp', 'password_recovery_code', 'passkey', 'link'];

/** Who did not sign in as the organization wants it reaches only their own account. */
function requireWay(wanted: Wanted, { hasSecondFactor, method, through }: SignedIn): void {
  // The second factor is then the affair of the identity provider.
  if (through !== null) return;
  const mayBypass = wanted.is_break_glass && strongMethods.includes(method);
  if (wanted.single_sign_on === 'required' && !mayBypass)
    throw refuse('sso_required', 'this organization wants its members to sign in by single sign-on');
  if (wanted.second_factor === 'required' && !hasSecondFactor) {
    const message = 'this organization wants a second factor of its members: set one up, or sign in with your passkey';
    throw refuse('second_factor_required', message);
  }
}

function isBreakGlass(organizationId: RawBuilder<unknown>, userId: string): RawBuilder<boolean> {
  return sql<boolean>`is_ready_break_glass(${organizationId}, ${userId})`;
}

function nameIn({ headers }: CallerHead, name: 'lastro-workspace' | 'lastro-organization'): string | undefined {
  const named = headers[name];
  return typeof named === 'string' ? named : undefined;
}

function onlyOne<T>(rows: readonly T[], named: string | undefined, noun: 'workspace' | 'organization'): T {
  if (rows.length === 1) return rows[0];
  if (named !== undefined) throw refuse('not_found', `there is no ${noun} ${named}`);
  const header = noun === 'workspace' ? 'Lastro-Workspace' : 'Lastro-Organization';
  if (rows.length === 0) throw refuse('scope_required', `you are in no ${noun}: ask to be invited to one`);
  throw refuse('scope_required', `you are in more than one ${noun}: name it in the header ${header}`);
}
