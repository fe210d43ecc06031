/** What routes about people, their organizations and their keys answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../src/lib/crypto/ids.ts';
import type { Client } from '../service.ts';
import { certificate } from '../support/samples/certificates.ts';
import type { World } from '../world.ts';
import { anyone, type Expectation, unused } from './expectation.ts';

const oneself = { right: 'oneself', status: 200, scope: 'user', byPerson: true } as const;
const viewMembers = { right: 'View members', status: 200 };
const manageMembers = { right: 'Manage members', status: 200, byPerson: true } as const;
const manageKeys = { right: 'Manage API keys; manage webhooks', status: 200 };
/** What an authenticator might answer, to no challenge. */
const credentialOf = (response: object) => ({
  ...{ id: 'none', rawId: 'none', type: 'public-key' },
  response: { clientDataJSON: 'none', ...response },
});
const signed = { authenticatorData: 'none', signature: 'none' };

export const ofPeople: Readonly<Record<string, Expectation>> = {
  'POST /v1/api/users': {
    right: 'anyone',
    status: 202,
    body: () => ({
      email: `${unused()}@company.example`,
      password: 'velvet orbit 97 lampshade',
      name: 'A',
      organization: 'B',
    }),
  },
  'POST /v1/api/users/verification': { right: 'anyone', status: 422, body: () => ({ token: 'none' }) },
  'POST /v1/api/sessions': {
    right: 'anyone',
    status: 401,
    body: () => ({ email: `${unused()}@company.example`, password: 'none' }),
  },
  'POST /v1/api/sessions/link': { right: 'anyone', status: 422, body: () => ({ token: 'none' }) },
  'POST /v1/api/password-resets': {
    right: 'anyone',
    status: 202,
    body: () => ({ email: `${unused()}@company.example` }),
  },
  'POST /v1/api/password-resets/confirmation': {
    right: 'anyone',
    status: 422,
    body: () => ({ token: 'none', password: 'velvet orbit 97 lampshade' }),
  },
  'POST /v1/api/invitations/account': {
    right: 'anyone',
    status: 422,
    body: () => ({ token: 'none', name: 'A', password: 'velvet orbit 97 lampshade' }),
  },

  'GET /v1/api/user': oneself,
  'PATCH /v1/api/user': { ...oneself, body: () => ({ name: 'Somebody' }) },
  'DELETE /v1/api/user': { ...oneself, status: 204, spends: true },
  'PUT /v1/api/user/email': {
    ...oneself,
    status: 202,
    body: () => ({ email: `${unused()}@company.example` }),
  },
  'POST /v1/api/user/email/verification': { ...oneself, status: 422, body: () => ({ token: 'none' }) },
  'PUT /v1/api/user/password': { ...oneself, status: 204, body: () => ({ password: 'velvet orbit 97 lampshade' }) },
  'GET /v1/api/user/second-factor': oneself,
  'POST /v1/api/user/second-factor/totp': { ...oneself, status: 201 },
  'POST /v1/api/user/second-factor/totp/confirmation': { ...oneself, status: 422, body: () => ({ code: '000000' }) },
  'DELETE /v1/api/user/second-factor/totp': { ...oneself, status: 204 },
  'POST /v1/api/user/second-factor/recovery-codes': { ...oneself, status: 409 },
  'POST /v1/api/sessions/second-factor': {
    right: 'anyone',
    status: 422,
    body: () => ({ token: 'none', code: '000000' }),
  },
  'POST /v1/api/user/passkeys/options': { ...oneself, status: 201 },
  'POST /v1/api/user/passkeys': {
    ...{ ...oneself, status: 422 },
    body: () => ({ name: 'laptop', credential: credentialOf({ attestationObject: 'none' }) }),
  },
  'GET /v1/api/user/passkeys': oneself,
  'PATCH /v1/api/user/passkeys/{id}': {
    ...{ ...oneself, status: 404, ids: () => [newId('psk')] },
    body: () => ({ name: 'laptop' }),
  },
  'DELETE /v1/api/user/passkeys/{id}': { ...oneself, status: 404, ids: () => [newId('psk')] },
  'POST /v1/api/sessions/passkey/options': { right: 'anyone', status: 201 },
  'POST /v1/api/sessions/passkey': { right: 'anyone', status: 422, body: () => credentialOf(signed) },
  'POST /v1/api/session/reauthentication/passkey/options': { ...oneself, status: 409 },
  'POST /v1/api/session/reauthentication/passkey': { ...oneself, status: 422, body: () => credentialOf(signed) },
  'GET /v1/api/roles': oneself,
  'GET /v1/api/sessions': oneself,
  'DELETE /v1/api/sessions': oneself,
  'DELETE /v1/api/sessions/{id}': { ...oneself, status: 404, ids: () => [newId('ses')] },
  'DELETE /v1/api/session': { ...oneself, status: 204, spends: true },
  'POST /v1/api/session/reauthentication': { ...oneself, status: 401, body: () => ({ password: 'none' }) },
  'POST /v1/api/invitations/acceptance': { ...oneself, status: 422, body: () => ({ token: 'none' }) },

  'GET /v1/api/organization': { ...viewMembers, scope: 'organization' },
  'PATCH /v1/api/organization': {
    ...{ ...manageMembers, scope: 'organization' },
    body: ({ canary }) => ({ name: canary }),
    audit: 'organization-update',
  },
  'GET /v1/api/workspaces': { ...viewMembers, scope: 'organization', list: true },
  'POST /v1/api/workspaces': {
    ...{ right: 'Create or update workspace; archive workspace', status: 201, byPerson: true, scope: 'organization' },
    body: ({ canary }) => ({ name: `${canary} ${unused()}` }),
    audit: 'workspace-creation',
  },
  'GET /v1/api/workspace': viewMembers,
  'GET /v1/api/setup-steps': viewMembers,
  'PATCH /v1/api/workspace': {
    ...{ right: 'Create or update workspace; archive workspace', status: 200, byPerson: true },
    body: ({ canary }) => ({ name: canary }),
    audit: 'workspace-update',
  },
  'POST /v1/api/workspace/archive': {
    ...{ right: 'Create or update workspace; archive workspace', status: 204, byPerson: true },
    undo: (session) => session.post('/v1/api/workspace/unarchive'),
    audit: 'workspace-archival',
  },
  'POST /v1/api/workspace/unarchive': {
    ...{ right: 'Create or update workspace; archive workspace', status: 204, byPerson: true },
    fresh: async (_, __, session) => {
      await session.post('/v1/api/workspace/archive');
      return [];
    },
    audit: 'workspace-unarchival',
  },
  ...membersIn('workspace', '/v1/api/members'),
  ...membersIn('organization', '/v1/api/organization/members'),
  ...invitationsIn('workspace', '/v1/api/invitations'),
  ...invitationsIn('organization', '/v1/api/organization/invitations'),
  ...ipRulesIn('workspace', '/v1/api/ip-rules'),
  ...ipRulesIn('organization', '/v1/api/organization/ip-rules'),
  ...singleSignOn(),
  ...notifications(),
  ...notificationPreferencesIn('workspace', '/v1/api'),
  ...notificationPreferencesIn('organization', '/v1/api/organization'),
  'GET /v1/api/quotas': { right: 'View usage', status: 200 },
  'GET /v1/api/usage': { right: 'View usage', status: 200, list: true },
  'GET /v1/api/organization/usage': { right: 'View usage', status: 200, scope: 'organization', list: true },
  ...usageRecordsIn('/v1/api', {}),
  ...usageRecordsIn('/v1/api/organization', { scope: 'organization' }),
  'GET /v1/api/organization/price-plan': { right: 'View invoices', status: 200, scope: 'organization' },
  'GET /v1/api/organization/invoices': { right: 'View invoices', status: 200, scope: 'organization' },
  ...ofNoInvoice('GET /v1/api/organization/invoices/{id}'),
  ...ofNoInvoice('GET /v1/api/organization/invoices/{id}/html'),
  'GET /v1/api/audit-key': anyone,
  ...auditIn('workspace', '/v1/api'),
  ...auditIn('organization', '/v1/api/organization'),
  'GET /v1/api/sftp-files': { right: 'View batches', status: 200, list: true },
  'GET /v1/api/sftp-server': { right: 'View batches', status: 200 },
  'GET /v1/api/sftp-users': { right: 'Upload, download, delete files', status: 200, list: true },
  'POST /v1/api/sftp-users': {
    ...{ right: 'Upload, download, delete files', status: 201, byPerson: true },
    body: () => ({ name: unused() }),
    audit: 'sftp-user-creation',
  },
  'DELETE /v1/api/sftp-users/{id}': {
    ...{ right: 'Upload, download, delete files', status: 404, byPerson: true },
    ids: () => [newId('sftp')],
  },
  'GET /v1/api/api-keys': { ...manageKeys, list: true },
  'POST /v1/api/api-keys': {
    ...{ ...manageKeys, status: 201, byPerson: true },
    body: () => ({ name: unused() }),
    audit: 'api-key-creation',
  },
  'PATCH /v1/api/api-keys/{id}': {
    ...{ ...manageKeys, status: 403, byPerson: true },
    ids: ({ key }) => [key],
    body: () => ({ name: unused() }),
  },
  'POST /v1/api/api-keys/{id}/rotation': {
    ...{ ...manageKeys, status: 403, byPerson: true },
    ids: ({ key }) => [key],
    body: () => ({}),
  },
  'DELETE /v1/api/api-keys/{id}': {
    ...{ ...manageKeys, status: 404, byPerson: true },
    ids: () => [newId('key')],
  },
};

function auditIn(place: 'workspace' | 'organization', path: string): Record<string, Expectation> {
  const scope = place === 'organization' ? ({ scope: place } as const) : {};
  const view = { right: 'View usage logs; view activity logs (audit)', status: 200, ...scope } as const;
  const ids = () => [newId('aud')];
  const fresh: Expectation['fresh'] = async (_, creator, session) => {
    const client = place === 'workspace' ? creator : session;
    const { body } = await client.get(`${path}/audit-checkpoints?limit=1`);
    const entries = await client.get(`${path}/audit-entries?to=${body.data[0].at}`);
    const sealed = entries.body.data.find(({ leaf_index }: { leaf_index: number }) => leaf_index !== null);
    return [sealed.id];
  };
  return {
    [`GET ${path}/audit-entries`]: { ...view, list: true },
    [`GET ${path}/audit-entries/{id}`]: { ...view, ids, fresh },
    [`GET ${path}/audit-entries/{id}/proof`]: { ...view, ids, fresh },
    [`GET ${path}/audit-checkpoints`]: { ...view, list: true },
    [`POST ${path}/audit-exports`]: {
      ...{ ...view, status: 202 },
      body: () => ({ format: 'csv' }),
      undo: (session) => untilEnded(session, `${path}/audit-exports`),
      audit: 'audit-export-request',
    },
    [`GET ${path}/audit-exports`]: view,
    [`GET ${path}/audit-exports/{id}`]: { ...view, status: 404, ids: () => [newId('aex')] },
    [`GET ${path}/audit-exports/{id}/entries`]: { ...view, status: 404, ids: () => [newId('aex')] },
    [`GET ${path}/audit-exports/{id}/manifest`]: { ...view, status: 404, ids: () => [newId('aex')] },
    // Without the sizes of two checkpoints there is nothing to prove.
    [`GET ${path}/audit-checkpoints/consistency`]: { ...view, status: 400 },
  };
}

/** Waits until no export is open: only so many may be. */
async function untilEnded(session: Client, path: string): Promise<void> {
  for (;;) {
    const { body } = await session.get(path);
    if (body.data.every(({ status }: { status: string }) => status === 'succeeded')) return;
    await sleep(50);
  }
}

function singleSignOn(): Record<string, Expectation> {
  const manage = { ...manageMembers, scope: 'organization' } as const;
  const open = { right: 'anyone', ids: () => [newId('sso')] } as const;
  const [domains, connections] = ['/v1/api/organization/domains', '/v1/api/organization/sso-connections'];
  const admins = '/v1/api/organization/break-glass-admins';
  const domain = () => ({ domain: `${unused()}.example` });
  // Of the networks for documentation, which no program reaches.
  const oidc = () => ({ name: unused(), issuer: 'https://192.0.2.1', client_id: 'lastro', client_secret: 'none' });
  const certificates = [certificate];
  const saml = () => ({ name: unused(), issuer: 'urn:provider', sso_url: 'https://192.0.2.1', certificates });
  const ofDomain = {
    ids: () => [newId('dom')],
    fresh: async (_: World, __: Client, session: Client) => [(await session.post(domains, domain())).body.id],
  };
  const ofConnection = {
    ids: () => [newId('sso')],
    fresh: async (_: World, __: Client, session: Client) => [
      (await session.post(`${connections}/oidc`, oidc())).body.id,
    ],
  };
  return {
    [`GET ${domains}`]: manage,
    [`POST ${domains}`]: { ...manage, status: 201, body: domain, audit: 'domain-creation' },
    [`POST ${domains}/{id}/verification`]: { ...manage, status: 404, ids: () => [newId('dom')] },
    [`DELETE ${domains}/{id}`]: { ...manage, status: 204, ...ofDomain, audit: 'domain-deletion' },
    [`GET ${connections}`]: manage,
    [`GET ${connections}/{id}`]: { ...manage, ...ofConnection },
    [`POST ${connections}/oidc`]: { ...manage, status: 201, body: oidc, audit: 'sso-connection-creation' },
    [`POST ${connections}/saml`]: { ...manage, status: 201, body: saml, audit: 'sso-connection-creation' },
    [`PATCH ${connections}/{id}`]: {
      ...{ ...manage, ...ofConnection },
      body: () => ({ name: unused() }),
      audit: 'sso-connection-update',
    },
    [`POST ${connections}/{id}/activation`]: { ...manage, status: 422, ...ofConnection },
    [`POST ${connections}/{id}/deactivation`]: { ...manage, status: 409, ...ofConnection },
    [`DELETE ${connections}/{id}`]: { ...manage, status: 204, ...ofConnection, audit: 'sso-connection-deletion' },
    [`GET ${admins}`]: manage,
    [`PUT ${admins}/{user_id}`]: { ...manage, status: 404, ids: () => [newId('usr')] },
    [`DELETE ${admins}/{user_id}`]: { ...manage, status: 404, ids: () => [newId('usr')] },
    'POST /v1/api/sessions/sso': {
      ...{ right: 'anyone', status: 200 },
      body: () => ({ email: `${unused()}@company.example` }),
    },
    'GET /v1/api/sso-connections/{id}/sign-in': { ...open, status: 404 },
    'GET /v1/api/sso-connections/{id}/callback': { ...open, status: 404 },
    // It takes a form, and here it is sent JSON.
    'POST /v1/api/sso-connections/{id}/acs': { ...open, status: 415, body: () => ({ SAMLResponse: 'none' }) },
    'GET /v1/api/sso-connections/{id}/completion': { ...open, status: 400 },
    'GET /v1/api/sso-connections/{id}/metadata': { ...open, status: 404 },
  };
}

function membersIn(place: 'workspace' | 'organization', path: string): Record<string, Expectation> {
  const scope = place === 'organization' ? ({ scope: place } as const) : {};
  const fresh: Expectation['fresh'] = async (_, __, ___, makes) => [await makes.member(place)];
  const ids = () => [newId('usr')];
  return {
    [`GET ${path}`]: { ...viewMembers, ...scope, list: true, isOfOrganization: true },
    [`GET ${path}/history`]: { right: 'Manage members', status: 200, ...scope },
    [`PATCH ${path}/{user_id}`]: {
      ...{ ...manageMembers, ...scope, ids, fresh },
      body: () => ({ role: 'analyst' }),
      audit: 'member-role-update',
    },
    [`DELETE ${path}/{user_id}`]: { ...manageMembers, ...scope, status: 204, ids, fresh, audit: 'member-removal' },
    [`POST ${path}/leave`]: {
      ...{ ...viewMembers, ...scope, status: 204, byPerson: true, spends: true },
      audit: 'member-removal',
    },
  };
}

function invitationsIn(place: 'workspace' | 'organization', path: string): Record<string, Expectation> {
  const scope = place === 'organization' ? ({ scope: place } as const) : {};
  const body = () => ({ email: `${unused()}@company.example`, role: 'member' });
  const fresh: Expectation['fresh'] = async (_, __, session) => [(await session.post(path, body())).body.id];
  const ids = () => [newId('inv')];
  return {
    [`GET ${path}`]: { right: 'Manage members', status: 200, ...scope },
    [`POST ${path}`]: { ...manageMembers, ...scope, status: 201, body, audit: 'invitation-creation' },
    [`POST ${path}/{id}/resend`]: { ...manageMembers, ...scope, ids, fresh, audit: 'invitation-resending' },
    [`DELETE ${path}/{id}`]: { ...manageMembers, ...scope, ids, fresh, audit: 'invitation-revocation' },
  };
}

function notifications(): Record<string, Expectation> {
  const path = '/v1/api/notifications';
  const one = { ...viewMembers, status: 404, ids: () => [newId('ntf')] };
  return {
    [`GET ${path}`]: viewMembers,
    [`GET ${path}/counts`]: viewMembers,
    [`GET ${path}/stream`]: { ...viewMembers, isEndless: true },
    [`GET ${path}/{id}`]: one,
    [`POST ${path}/mark-all-read`]: { ...viewMembers, status: 404, body: () => ({ before: newId('ntf') }) },
    ...Object.fromEntries(
      ['seen', 'read', 'unread', 'archive', 'unarchive'].map((mark) => [`POST ${path}/{id}/${mark}`, one]),
    ),
    'GET /v1/api/notification-mails/unsubscription': { right: 'anyone', status: 400 },
    // It takes a form, and here it is sent none.
    'POST /v1/api/notification-mails/unsubscription': { right: 'anyone', status: 415, body: () => ({}) },
    'GET /v1/api/user/mail-suppressions': oneself,
    'DELETE /v1/api/user/mail-suppressions/{id}': { ...oneself, status: 404, ids: () => [newId('sup')] },
  };
}

function notificationPreferencesIn(place: 'workspace' | 'organization', path: string): Record<string, Expectation> {
  const scope = place === 'organization' ? ({ scope: place } as const) : {};
  const preferences = [{ type: 'batch-lifecycle', channels: 'none' }];
  const body = () => ({ preferences });
  return {
    [`GET ${path}/notification-preferences`]: { ...viewMembers, ...scope },
    [`PATCH ${path}/notification-preferences`]: {
      ...{ ...viewMembers, ...scope, byPerson: true, body },
      audit: 'notification-preference-update',
    },
    [`GET ${path}/notification-defaults`]: { ...viewMembers, ...scope },
    [`PATCH ${path}/notification-defaults`]: {
      ...{ right: 'Create or update workspace; archive workspace', status: 200, ...scope, byPerson: true, body },
      audit: 'notification-default-update',
    },
  };
}

/** Every rule lets in all who ask here. */
function ipRulesIn(place: 'workspace' | 'organization', path: string): Record<string, Expectation> {
  const scope = place === 'organization' ? ({ scope: place } as const) : {};
  const body = () => ({ cidr: '127.0.0.1' });
  const ofKey =
    place === 'workspace'
      ? ({ idsInBody: true, body: ({ key }: World) => ({ ...body(), api_key_id: key }) } as const)
      : { body };
  const fresh: Expectation['fresh'] = async (_, __, session) => [(await session.post(path, body())).body.id];
  return {
    [`GET ${path}`]: { ...manageMembers, ...scope },
    [`POST ${path}`]: { ...manageMembers, ...scope, status: 201, ...ofKey, audit: 'ip-rule-creation' },
    [`DELETE ${path}/{id}`]: {
      ...{ ...manageMembers, ...scope, status: 204, ids: () => [newId('ipr')], fresh },
      audit: 'ip-rule-deletion',
    },
  };
}

function usageRecordsIn(path: string, place: Pick<Expectation, 'scope'>): Record<string, Expectation> {
  const right = 'View usage logs; view activity logs (audit)';
  return {
    [`GET ${path}/usage-records`]: { right, status: 200, ...place, list: true },
    [`GET ${path}/usage-records/export`]: { right, status: 200, ...place },
  };
}

function ofNoInvoice(route: string): Record<string, Expectation> {
  return { [route]: { right: 'View invoices', status: 404, scope: 'organization', ids: () => [newId('ivc')] } };
}
