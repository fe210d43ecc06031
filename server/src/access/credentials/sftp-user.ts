import { createHash, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { hashToken } from '../../lib/crypto/tokens.ts';
import type { SignIn } from '../../lib/sftp/server.ts';
import type { Principal } from '../actor.ts';
import type { Context } from '../context.ts';
import { selectAllowed } from '../ip-rules.ts';
import type { WorkspaceScope } from '../scope.ts';
import { type Database, system } from '../transactions.ts';
import { madePrincipal, makerRoles, mayComeIn, placeColumns } from './maker.ts';

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
      .select(['s.id', 's.name', 's.password_hash', 's.public_keys', ...placeColumns, makerRoles.as('roles')])
      .select(selectAllowed('api', { organization: 's.organization_id', workspace: 's.workspace_id' }).as('allowed'))
      .where(`s.${column}`, '=', value)
      .where('s.revoked_at', 'is', null)
      .where(sql<boolean>`o.features @> array['sftp']`)
      .where(mayComeIn)
      .executeTakeFirst(),
  );
  if (!row) return undefined;
  const actor = { type: 'sftp_user', id: row.id, label: row.name } as const;
  const principal = madePrincipal(row, { actor, scopes: null, expiresAt: null });
  return principal && { principal, passwordHash: row.password_hash, publicKeys: row.public_keys };
}
