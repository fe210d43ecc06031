import type { Context } from '../../access/context.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { makeSelfSigned } from '../../lib/crypto/self-signed.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { requireFeature } from '../organizations/features.ts';
import { requireWorkspace } from '../organizations/require.ts';
import { connectionsMax } from './connection.ts';
import { sealSecret } from './provider.ts';
import { requireWebAddress } from './require.ts';
import { type AskedSaml, readSaml } from './saml-settings.ts';
import { type ConnectionRow, countConnections, insertConnection, type NewConnection } from './sql.ts';

/** How long a provider may encrypt by our certificate: as long as a connection lives. */
const certificateDays = 3_650;

type Asked = {
  readonly name: string;
  readonly default_role?: string;
  readonly default_workspace_id?: string | null;
};

export type AskedOidc = Asked & {
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
};

/**
 * Adds a connection to a provider of OpenID Connect, which is not active yet.
 * Throws Failure 'schema_mismatch', 'feature_disabled', 'not_found' for a workspace, 'limit_exceeded'.
 */
export async function createOidc(app: App, ctx: Context<OrganizationScope>, asked: AskedOidc): Promise<ConnectionRow> {
  requireWebAddress('/issuer', asked.issuer);
  const id = newId('sso');
  return create(app, ctx, asked, {
    ...{ id, kind: 'oidc', issuer: asked.issuer, settings: { client_id: asked.client_id } },
    clientSecret: sealSecret(app, id, 'client_secret', asked.client_secret),
    decryptionKey: null,
  });
}

/** Adds a connection to a provider of SAML, which is not active yet. Throws as `createOidc` does. */
export async function createSaml(
  app: App,
  ctx: Context<OrganizationScope>,
  asked: Asked & AskedSaml,
): Promise<ConnectionRow> {
  const { issuer, ...known } = readSaml(asked);
  const id = newId('sso');
  const { key, certificate } = await makeSelfSigned(id, certificateDays);
  const settings = { ...known, encryption_certificate: certificate };
  const decryptionKey = sealSecret(app, id, 'decryption_key', key);
  return create(app, ctx, asked, { id, kind: 'saml', issuer, settings, clientSecret: null, decryptionKey });
}

function create(
  app: App,
  ctx: Context<OrganizationScope>,
  { name, default_role: defaultRole = 'member', default_workspace_id: defaultWorkspaceId = null }: Asked,
  row: Omit<NewConnection, 'name' | 'defaultRole' | 'defaultWorkspaceId'>,
): Promise<ConnectionRow> {
  return tenant(app.db, ctx, async (tx: Tx) => {
    await requireFeature(tx, ctx.organizationId, 'sso');
    if (defaultWorkspaceId !== null)
      await requireWorkspace(tx, ctx.organizationId, defaultWorkspaceId, '/default_workspace_id');
    const made = await insertConnection(tx, ctx, { ...row, name, defaultRole, defaultWorkspaceId });
    if ((await countConnections(tx, ctx)) > connectionsMax)
      throw refuse('limit_exceeded', `an organization has at most ${connectionsMax} connections`);
    const told = { kind: row.kind, name, issuer: row.issuer, default_role: defaultRole };
    await record(tx, ctx, 'sso-connection-creation', { type: 'sso_connection', id: made.id }, told);
    return made;
  });
}
