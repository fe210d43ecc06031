import { sql, type Updateable } from 'kysely';
import type { Context } from '../../access/context.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import type { Tx } from '../../access/transactions.ts';
import type { SsoConnections } from '../../schema/tables.ts';
import type { OidcSettings, SamlSettings } from './settings.ts';

const columns = [
  ...([
    'id',
    'organization_id',
    'kind',
    'name',
    'status',
    'issuer',
    'settings',
    'client_secret',
    'decryption_key',
  ] as const),
  ...(['default_role', 'default_workspace_id', 'created_at'] as const),
];

/** Newest first. */
export async function selectConnections(
  tx: Tx,
  { organizationId }: Context<OrganizationScope>,
  before: string | null,
  most: number,
) {
  return tx
    .selectFrom('sso_connections')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}
export type ConnectionRow = Awaited<ReturnType<typeof selectConnections>>[number];

function one(tx: Tx, { organizationId }: Context<OrganizationScope>, id: string) {
  return tx
    .selectFrom('sso_connections')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id);
}

export async function selectConnection(
  tx: Tx,
  ctx: Context<OrganizationScope>,
  id: string,
): Promise<ConnectionRow | undefined> {
  return one(tx, ctx, id).executeTakeFirst();
}

/** The connection, which nobody else changes before the transaction ends. */
export async function lockConnection(
  tx: Tx,
  ctx: Context<OrganizationScope>,
  id: string,
): Promise<ConnectionRow | undefined> {
  return one(tx, ctx, id).forUpdate().executeTakeFirst();
}

export type NewConnection = {
  readonly id: string;
  readonly kind: 'oidc' | 'saml';
  readonly name: string;
  readonly issuer: string;
  readonly settings: OidcSettings | SamlSettings;
  /** Sealed; null without one. */
  readonly clientSecret: string | null;
  /** Sealed; null without one. */
  readonly decryptionKey: string | null;
  readonly defaultRole: string;
  readonly defaultWorkspaceId: string | null;
};

export async function insertConnection(
  tx: Tx,
  { organizationId, actor }: Context<OrganizationScope>,
  { settings, clientSecret, decryptionKey, defaultRole, defaultWorkspaceId, ...row }: NewConnection,
): Promise<ConnectionRow> {
  return tx
    .insertInto('sso_connections')
    .values({
      ...{ ...row, organization_id: organizationId, settings: JSON.stringify(settings) },
      ...{ client_secret: clientSecret, decryption_key: decryptionKey },
      ...{ default_role: defaultRole, default_workspace_id: defaultWorkspaceId, created_by: actor.id },
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function countConnections(tx: Tx, { organizationId }: Context<OrganizationScope>): Promise<number> {
  const { count } = await tx
    .selectFrom('sso_connections')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function updateConnection(
  tx: Tx,
  { organizationId }: Context<OrganizationScope>,
  id: string,
  change: Updateable<SsoConnections>,
): Promise<ConnectionRow | undefined> {
  return tx
    .updateTable('sso_connections')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
}

export async function deleteRow(
  tx: Tx,
  { organizationId }: Context<OrganizationScope>,
  id: string,
): Promise<ConnectionRow | undefined> {
  return tx
    .deleteFrom('sso_connections')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
}

/** Holds the organization as it is, so that how its members must sign in does not change meanwhile; returns how. */
export async function lockSingleSignOn(tx: Tx, { organizationId }: Context<OrganizationScope>): Promise<string> {
  const row = await tx
    .selectFrom('organizations')
    .select('single_sign_on')
    .where('id', '=', organizationId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.single_sign_on;
}

/** The connections through which people may sign in: active ones, where the operator lets the organization. */
function active(tx: Tx) {
  return tx
    .selectFrom('sso_connections')
    .select(columns)
    .where('status', '=', 'active')
    .where(sql<boolean>`exists (
      select from organizations as o where o.id = sso_connections.organization_id
        and o.status = 'active' and o.features @> array['sso'])`);
}

/** The active connection of an organization, the newest of several. */
export async function selectActive(tx: Tx, organizationId: string): Promise<ConnectionRow | undefined> {
  return active(tx).where('organization_id', '=', organizationId).orderBy('id', 'desc').limit(1).executeTakeFirst();
}

/** The active connection of this id, in a transaction of the system. */
export async function selectActiveById(tx: Tx, id: string): Promise<ConnectionRow | undefined> {
  return active(tx).where('id', '=', id).executeTakeFirst();
}

/** Waits until no other transaction uses or changes the connection; undefined when it is not active. */
export async function lockActive(tx: Tx, id: string): Promise<ConnectionRow | undefined> {
  return active(tx).where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function selectSaml(tx: Tx, id: string): Promise<ConnectionRow | undefined> {
  return tx
    .selectFrom('sso_connections')
    .select(columns)
    .where('id', '=', id)
    .where('kind', '=', 'saml')
    .executeTakeFirst();
}
