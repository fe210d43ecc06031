import { createHash, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { hashToken } from '../../lib/crypto/tokens.ts';
import type { SignIn } from '../../lib/sftp/server.ts';
import type { Principal } from '../actor.ts';
import { permissionsOf, type Role } from '../authorize.ts';
import type { Context } from '../context.ts';
import { readAllowed, selectAllowed } from '../ip-rules.ts';
import type { WorkspaceScope } from '../scope.ts';
import { type Database, system } from '../transactions.ts';
import { signsInElsewhere } from './api-key.ts';
import { hasFactor } from './session.ts';

export type SftpPrincipal = Principal<WorkspaceScope>;

/** How passwords of SFTP users begin. */
export const passwordPrefix = 'lsp';

/** The user whom a password or a proved key lets in now; undefined for nobody. */
export async function recogniseSftpUser(
  db: Database,
  { login, proof }: Pick<SignIn, 'login' | 'proof'>,
): Promise<SftpPrincipal | undefined> {
  const found = await readUser(db, 'login', login);
  if (!found) return undefined;
  const { principal, passwordHash, publicKeys } = found;
  const isLetIn =
    'password' in proof
      ? passwordHash !== null && areEqual(hashToken(proof.password), passwordHash)
      : publicKeys.some((key) => areEqual(key, proof.publicKey));
  return isLetIn ? principal : undefined;
}

/** The user as they are now; undefined for one that has been revoked, or whose maker may not come in any more. */
export async function readSftpUser(db: Database, id: string): Promise<SftpPrincipal | undefined> {
  return (await readUser(db, 'id', id))?.principal;
}

/** The context of what a user does, from an address. */
export function contextOfSftp(principal: SftpPrincipal, ip: string | null): Context {
  return { ...principal, channel: 'sftp', requestId: null, ip, userAgent: null };
}

/** Whether two texts are equal, in a time that does not depend on how far they are. */
function areEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

async function readUser(db: Database, column: 'login' | 'id', value: string) {
  const row = await system(db, 'authenticate', (tx) =>
    tx
      .selectFrom('sftp_users as s')
      .innerJoin('workspaces as w', 'w.id', 's.workspace_id')
      .innerJoin('users as u', 'u.id', 's.user_id')
      .innerJoin('organizations as o', 'o.id', 's.organization_id')
      .select(['s.id', 's.name', 's.password_hash', 's.public_keys', 's.organization_id', 's.workspace_id'])
      .select(['w.time_zone', 'w.language', 'w.status', 'w.auth_epoch', 'o.status as organization_status'])
      .select((eb) =>
        eb
          .selectFrom('grants as g')
          .select(sql<string[]>`coalesce(array_agg(g.role), '{}')`.as('roles'))
          .whereRef('g.user_id', '=', 's.user_id')
          .whereRef('g.organization_id', '=', 's.organization_id')
          .where((or) => or.or([or('g.workspace_id', 'is', null), or('g.workspace_id', '=', or.ref('s.workspace_id'))]))
          .as('roles'),
      )
      .select(selectAllowed('api', { organization: 's.organization_id', workspace: 's.workspace_id' }).as('allowed'))
      .where(`s.${column}`, '=', value)
      .where('s.revoked_at', 'is', null)
      .where('u.status', '=', 'active')
      .where(sql<boolean>`o.features @> array['sftp']`)
      .where((or) => or.or([or('o.second_factor', '=', 'optional'), hasFactor(sql.ref('u.id')), signsInElsewhere]))
      .executeTakeFirst(),
  );
  if (!row?.roles || row.roles.length === 0) return undefined;
  const principal: SftpPrincipal = {
    credentialId: row.id,
    authenticatedAt: null,
    allowed: readAllowed(row.allowed),
    actor: { type: 'sftp_user', id: row.id, label: row.name },
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    timeZone: row.time_zone,
    language: row.language as 'en' | 'pt-BR',
    isArchived: row.status === 'archived',
    isSuspended: row.organization_status === 'suspended',
    permissions: permissionsOf(row.roles as Role[], null),
    expiresAt: null,
    authEpoch: row.auth_epoch,
  };
  return { principal, passwordHash: row.password_hash, publicKeys: row.public_keys };
}
