/** Routes and credentials of a test's own in front of a real database; test support. */
import type { Principal } from '../src/access/actor.ts';
import { permissionsOf } from '../src/access/authorize.ts';
import type { Credential } from '../src/access/credentials/credential.ts';
import { openSignedAddresses } from '../src/access/credentials/signed-address.ts';
import { openRateLimit } from '../src/access/rate-limit.ts';
import type { ScopeKind } from '../src/access/scope.ts';
import type { Database } from '../src/access/transactions.ts';
import type { Route } from '../src/api/route.ts';
import { serveRoutes } from '../src/api/serve.ts';
import { newId } from '../src/lib/crypto/ids.ts';
import { openLog } from '../src/lib/http/log.ts';
import { openHttp } from '../src/lib/http/server.ts';
import { recordDenial } from '../src/trail/record.ts';
import type { Tenant } from './service.ts';

export type Gate = { readonly url: string; close(): Promise<void> };

export const requestsPerMinute = 100;

/** Serves routes to those who bring one of the credentials. */
export async function openGate(db: Database, routes: readonly Route[], brought: readonly Credential[]): Promise<Gate> {
  const http = openHttp({
    log: openLog('fatal'),
    trustedProxies: [],
    newRequestId: () => newId('req'),
    document: { info: { title: 'Test', version: '1' } },
  });
  serveRoutes(http, routes, {
    credentials: { brought, signedAddress: openSignedAddresses(db, Buffer.from('secret')) },
    recordDenial: (ctx, route) => recordDenial(db, ctx, route),
    rateLimit: openRateLimit({
      perCredential: requestsPerMinute,
      perWorkspace: () => ({ real_time: 0, other: 0 }),
    }),
    bodySecret: Buffer.from('secret'),
  });
  return { url: `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`, close: () => http.close() };
}

/**
 * A credential of the dashboard, sent as `x-visit`: good in an organization and in its workspace, as the route wants.
 */
export function visitBy(visits: ReadonlyMap<string, Tenant>): Credential {
  return {
    channel: 'dashboard',
    howTo: 'send the visit as x-visit',
    recognise({ headers }, scope) {
      const id = String(headers['x-visit']);
      const visited = visits.get(id);
      return visited ? async () => principalOf(visited, scope, id) : null;
    },
  };
}

/** A tenant's Creator, in their workspace or in the organization as a whole. */
export function principalOf({ ctx, userId }: Tenant, scope: ScopeKind, credentialId: string): Principal {
  const { organizationId, workspaceId, timeZone, language, authEpoch } = ctx;
  const held = {
    credentialId,
    authenticatedAt: null,
    allowed: [],
    isSuspended: false,
    actor: { type: 'user', id: userId, label: 'Ana' },
    permissions: permissionsOf(['creator'], null),
    expiresAt: null,
  } as const;
  return scope === 'organization'
    ? { organizationId, workspaceId: null, ...held }
    : { organizationId, workspaceId, timeZone, language, isArchived: false, authEpoch, ...held };
}
