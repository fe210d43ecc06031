import { system } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { spMetadata } from '../../lib/saml/metadata.ts';
import type { App } from '../app.ts';
import { findSaml } from '../sso-connections/find.ts';
import { samlServiceOf } from '../sso-connections/provider.ts';

/**
 * What a provider of SAML must know about this service, for a connection that need not be active yet: nothing in it is
 * secret. Throws Failure 'not_found'.
 */
export async function metadataOf(app: App, connectionId: string): Promise<string> {
  const connection = await system(app.db, 'read metadata', (tx) => findSaml(tx, connectionId));
  if (!connection) throw refuse('not_found', `there is no connection ${connectionId}`);
  return spMetadata(samlServiceOf(app, connection));
}
