import type { Context } from '../../access/context.ts';
import { untilLeasesEnd } from '../../access/lease.ts';
import type { OrganizationScope } from '../../access/scope.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { requireWorkspace } from '../organizations/require.ts';
import { sealSecret } from './provider.ts';
import { requireWebAddress } from './require.ts';
import { readCertificates } from './saml-settings.ts';
import type { OidcSettings, SamlSettings } from './settings.ts';
import {
  type ConnectionRow,
  deleteRow,
  lockConnection,
  lockSingleSignOn,
  selectActive,
  updateConnection,
} from './sql.ts';

export type ConnectionChange = {
  readonly name?: string;
  readonly default_role?: string;
  readonly default_workspace_id?: string | null;
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly sso_url?: string;
  readonly certificates?: readonly string[];
};

const ofOidc = ['client_id', 'client_secret'] as const;
const ofSaml = ['sso_url', 'certificates'] as const;

/**
 * Changes a connection; the issuer stays, since it is whose word about people is taken. Throws Failure
 * 'schema_mismatch', 'not_found'.
 */
export async function changeConnection(
  app: App,
  ctx: Context<OrganizationScope>,
  id: string,
  change: ConnectionChange,
): Promise<ConnectionRow> {
  if (change.sso_url !== undefined) requireWebAddress('/sso_url', change.sso_url);
  const certificates = change.certificates && readCertificates(change.certificates);
  return tenant(app.db, ctx, async (tx) => {
    const row = await hold(tx, ctx, id);
    for (const field of row.kind === 'oidc' ? ofSaml : ofOidc)
      if (change[field] !== undefined) {
        const message = `is of no connection of the kind ${row.kind}`;
        throw refuse('schema_mismatch', `/${field} ${message}`, { problems: [{ at: `/${field}`, message }] });
      }
    if (Object.keys(change).length === 0) return row;
    const { name, default_role, default_workspace_id, client_id, client_secret, sso_url } = change;
    if (default_workspace_id != null)
      await requireWorkspace(tx, ctx.organizationId, default_workspace_id, '/default_workspace_id');
    const before = row.settings as OidcSettings | SamlSettings;
    const changed = await updateConnection(tx, ctx, id, {
      ...(name === undefined ? {} : { name }),
      ...(default_role === undefined ? {} : { default_role }),
      ...(default_workspace_id === undefined ? {} : { default_workspace_id }),
      ...(client_secret === undefined ? {} : { client_secret: sealSecret(app, id, 'client_secret', client_secret) }),
      settings: JSON.stringify({
        ...before,
        ...(client_id === undefined ? {} : { client_id }),
        ...(sso_url === undefined ? {} : { sso_url }),
        ...(certificates === undefined ? {} : { certificates }),
      }),
    });
    await record(tx, ctx, 'sso-connection-update', target(id), { changed: Object.keys(change) });
    return changed!;
  });
}

/**
 * Lets nobody sign in through a connection any more; sessions that came through it end. Throws Failure 'not_found', and
 * 'conflict' for one that is not active, and for the last where members must sign in by single sign-on.
 */
export async function deactivateConnection(
  app: App,
  ctx: Context<OrganizationScope>,
  id: string,
): Promise<ConnectionRow> {
  const changed = await tenant(app.db, ctx, async (tx) => {
    const mode = await lockSingleSignOn(tx, ctx);
    const row = await hold(tx, ctx, id);
    if (row.status === 'inactive') throw refuse('conflict', 'the connection is not active');
    const changed = await updateConnection(tx, ctx, id, { status: 'inactive' });
    await requireWayIn(tx, ctx, mode);
    await record(tx, ctx, 'sso-connection-deactivation', target(id));
    return changed!;
  });
  await untilLeasesEnd();
  return changed;
}

/**
 * Deletes a connection: sessions that came through it end, and its provider's accounts are no longer known.
 * Throws as `deactivateConnection` does.
 */
export async function deleteConnection(app: App, ctx: Context<OrganizationScope>, id: string): Promise<void> {
  await tenant(app.db, ctx, async (tx) => {
    const mode = await lockSingleSignOn(tx, ctx);
    const row = await hold(tx, ctx, id);
    await deleteRow(tx, ctx, id);
    if (row.status === 'active') await requireWayIn(tx, ctx, mode);
    await record(tx, ctx, 'sso-connection-deletion', target(id), { kind: row.kind, name: row.name });
  });
  await untilLeasesEnd();
}

/** Where members must sign in by single sign-on there is a connection to do so. */
async function requireWayIn(tx: Tx, ctx: Context<OrganizationScope>, mode: string): Promise<void> {
  if (mode === 'required' && !(await selectActive(tx, ctx.organizationId)))
    throw refuse('conflict', 'members must sign in by single sign-on: make it optional, or activate another, first');
}

async function hold(tx: Tx, ctx: Context<OrganizationScope>, id: string): Promise<ConnectionRow> {
  const row = await lockConnection(tx, ctx, id);
  if (!row) throw refuse('not_found', `there is no connection ${id}`);
  return row;
}

function target(id: string) {
  return { type: 'sso_connection', id };
}
