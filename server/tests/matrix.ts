/**
 * What every route answers: who may ask by the permission matrix as it is printed, with what, and what trail it leaves.
 */

import type { Role } from '../src/access/authorize.ts';
import { newId } from '../src/lib/crypto/ids.ts';
import type { AuditAction } from '../src/trail/catalog.ts';
import type { Client } from './service.ts';
import { shopText } from './shop.ts';
import { contractText, makeBatch, type World } from './world.ts';

/** The printed matrix, copied by hand. */
export const printed: Readonly<Record<string, readonly Role[]>> = {
  'View models; view model versions': ['creator', 'developer', 'analyst', 'auditor', 'member'],
  'Manage aliases; invoke predictions': ['creator', 'developer'],
  'View batches': ['creator', 'developer', 'analyst', 'member'],
  'Create batches; cancel batches': ['creator', 'developer'],
  'Download results; delete results': ['creator'],
  'View files': ['creator', 'member'],
  'Upload, download, delete files': ['creator'],
  'Manage API keys; manage webhooks': ['creator', 'developer'],
  'Create or update workspace; archive workspace': ['creator'],
  'Manage members': ['creator'],
  'View members': ['creator', 'developer', 'analyst', 'billing_manager', 'auditor', 'member'],
};

/** Makes people for a call to use up; each returns the id. */
export type Makes = {
  member(place: 'workspace' | 'organization'): Promise<string>;
};

type Expectation = {
  /** A line of the printed matrix; `oneself`, whoever is signed in; `anyone`; or `address`, whoever holds a signed one. */
  readonly right: string;
  /** Of the answer to those who may. */
  readonly status: number;
  /**
   * It is of the organization as a whole, or of a person alone: no key may call it, since every key is of a workspace.
   */
  readonly scope?: 'organization' | 'user';
  /** Only people who are signed in do it: no key may. */
  readonly byPerson?: true;
  /** It ends the session or the role of whoever calls it, so that each call is made by somebody new. */
  readonly spends?: true;
  /** Undoes what the call did, as a Creator of the whole organization. */
  readonly undo?: (session: Client) => Promise<unknown>;
  /** Of the parameters in the path, in order. */
  readonly ids?: (world: World) => readonly string[];
  readonly body?: (world: World) => unknown;
  readonly idsInBody?: true;
  /** Further bodies that name things of one's own beside foreign ones. */
  readonly mixed?: (own: World, foreign: World) => readonly unknown[];
  /** Makes what the call uses up; returns the parameters in the path. */
  readonly fresh?: (world: World, creator: Client, session: Client, makes: Makes) => Promise<readonly string[]>;
  /** What the trail has of it; a route that changes something has one. */
  readonly audit?: AuditAction;
  /** The answer does not end by itself. */
  readonly isEndless?: true;
  /** A list, which a cursor leads through. */
  readonly list?: true;
  /** What the ids name is the same in every workspace. */
  readonly isShared?: true;
  /** The list has what is of the whole organization in each of its workspaces. */
  readonly isOfOrganization?: true;
};

const viewModels = { right: 'View models; view model versions', status: 200 };
const manage = { right: 'Manage aliases; invoke predictions', status: 200 };
const files = { right: 'Upload, download, delete files', status: 200 };
/** Whoever may read anything is told of some events; which, is not the matrix's to say. */
const events = { right: 'View members', status: 200 };
const viewBatches = { right: 'View batches', status: 200 };
const results = { right: 'Download results; delete results', status: 200 };
const anyone = { right: 'anyone', status: 200 };
const oneself = { right: 'oneself', status: 200, scope: 'user', byPerson: true } as const;
const viewMembers = { right: 'View members', status: 200 };
const manageMembers = { right: 'Manage members', status: 200, byPerson: true } as const;
const manageKeys = { right: 'Manage API keys; manage webhooks', status: 200 };
const sunset = { right: 'anyone', status: 410 };
let counter = 0;
/** A version of the graph model, which no workspace owns. */
export const released = newId('gfm');
const unused = (): string => `fresh-${++counter}`;
const declared = () => ({ files: [{ path: `${unused()}.csv`, content_type: 'text/csv', md5: `${'A'.repeat(22)}==` }] });

const current: Readonly<Record<string, Expectation>> = {
  'GET /healthz': anyone,
  'GET /readyz': anyone,
  'GET /metrics': anyone,
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

  'POST /v1/api/risk_score': sunset,
  'POST /v1/api/entities/context/contact': sunset,
  'POST /v1/api/entities/context/transaction': sunset,
  'POST /v1/api/entities/context/invoices': sunset,

  'POST /v2/api/files/upload': { ...files, status: 201, body: declared, audit: 'batch-input-upload-request' },
  'PUT /v2/api/files/{id}/content': { right: 'address', status: 403, ids: ({ file }) => [file] },
  'GET /v2/api/files': { right: 'View files', status: 200, list: true },
  'GET /v2/api/files/{id}': { right: 'View files', status: 200, ids: ({ file }) => [file] },
  'GET /v2/api/files/{id}/content': { ...files, ids: ({ file }) => [file] },
  'DELETE /v2/api/files/{id}': {
    ...files,
    ids: ({ file }) => [file],
    fresh: async (_, creator) => [(await creator.post('/v2/api/files/upload', declared())).body.files[0].id],
    audit: 'batch-input-deletion',
  },

  'POST /v1/api/contracts': {
    ...files,
    status: 201,
    body: () => ({ document: contractText('fresh') }),
    audit: 'data-contract-version',
  },
  'POST /v1/api/contracts/{id}/acceptance': {
    ...files,
    ids: ({ contract }) => [contract],
    fresh: proposeContract,
    audit: 'data-contract-version',
  },
  'POST /v1/api/contracts/{id}/rejection': {
    ...files,
    ids: ({ contract }) => [contract],
    fresh: proposeContract,
    audit: 'data-contract-version',
  },
  'GET /v1/api/contracts': { ...viewModels, list: true },
  'GET /v1/api/contracts/{id}': { ...viewModels, ids: ({ contract }) => [contract] },

  'POST /v1/api/ingestions': {
    ...files,
    status: 202,
    idsInBody: true,
    body: ({ file }) => ({ files: [{ file_id: file, table: 'customers' }] }),
    audit: 'ingestion-lifecycle',
  },
  'GET /v1/api/ingestions': { ...viewModels, list: true },
  'GET /v1/api/ingestions/{id}': { ...viewModels, ids: ({ ingestion }) => [ingestion] },
  'POST /v1/api/ingestions/{id}/interrupt': {
    ...files,
    ids: ({ ingestion }) => [ingestion],
    fresh: async ({ file }, creator) => [
      (await creator.post('/v1/api/ingestions', { files: [{ file_id: file, table: 'customers' }] })).body.id,
    ],
    audit: 'ingestion-lifecycle',
  },
  'GET /v1/api/ingestions/{id}/deviations': { ...files, ids: ({ ingestion }) => [ingestion] },

  'POST /v1/api/tasks': {
    ...manage,
    status: 201,
    idsInBody: true,
    body: ({ file }) => ({ name: unused(), definition: shopText('tasks/returns/task.yaml'), labels: { train: file } }),
    audit: 'task-creation',
  },
  'GET /v1/api/tasks': { ...viewModels, list: true },
  'GET /v1/api/tasks/{id}': { ...viewModels, ids: ({ task }) => [task] },

  'POST /v1/api/training-runs': {
    ...manage,
    status: 202,
    idsInBody: true,
    body: ({ task }) => ({ task_id: task, model: unused() }),
    audit: 'training-run-lifecycle',
  },
  'GET /v1/api/training-runs': { ...viewModels, list: true },
  'GET /v1/api/training-runs/{id}': { ...viewModels, ids: ({ run }) => [run] },
  'GET /v1/api/training-runs/{id}/events': { ...viewModels, ids: ({ run }) => [run] },
  'POST /v1/api/training-runs/{id}/interrupt': {
    ...manage,
    ids: ({ run }) => [run],
    fresh: async ({ task }, creator) => [
      (await creator.post('/v1/api/training-runs', { task_id: task, model: unused() })).body.id,
    ],
    audit: 'training-run-lifecycle',
  },

  'GET /v1/api/rfm-versions': { ...viewModels, list: true },
  'GET /v1/api/rfm-versions/{id}': { ...viewModels, ids: ({ encoder }) => [encoder] },
  'GET /v1/api/rfm-versions/{id}/export': { ...files, ids: ({ encoder }) => [encoder] },
  'GET /v1/api/gfm-versions': viewModels,
  'GET /v1/api/gfm-versions/{id}': { ...viewModels, ids: () => [released], isShared: true },
  'POST /v1/api/gfm-versions/{id}/adoption': {
    ...manage,
    ids: () => [released],
    isShared: true,
    audit: 'gfm-version-adoption',
  },
  'POST /v1/api/embeddings': {
    ...manage,
    idsInBody: true,
    body: ({ canary, encoder }) => ({ keys: [`${canary}C1`], rfm_version_id: encoder }),
    audit: 'embedding-request',
  },
  'POST /v1/api/embeddings/neighbors': {
    ...manage,
    idsInBody: true,
    body: ({ canary, encoder }) => ({ key: `${canary}C1`, rfm_version_id: encoder }),
    audit: 'embedding-request',
  },

  'GET /v1/api/models': { ...viewModels, list: true },
  'GET /v1/api/models/{model_id}': { ...viewModels, ids: ({ model }) => [model] },
  'GET /v1/api/models/{model_id}/versions': { ...viewModels, ids: ({ model }) => [model], list: true },
  'GET /v1/api/models/{model_id}/versions/{version_id}': { ...viewModels, ids: versionIds },
  'POST /v1/api/models/{model_id}/versions/{version_id}/activation': {
    ...manage,
    ids: versionIds,
    fresh: async ({ model, spare }, creator) => {
      await creator.post(`/v1/api/models/${model}/versions/${spare}/deactivation`);
      return [model, spare];
    },
    audit: 'model-version-activation',
  },
  'POST /v1/api/models/{model_id}/versions/{version_id}/deactivation': {
    ...manage,
    ids: versionIds,
    fresh: async ({ model, spare }, creator) => {
      await creator.post(`/v1/api/models/${model}/versions/${spare}/activation`);
      return [model, spare];
    },
    audit: 'model-version-deactivation',
  },
  'GET /v1/api/models/{model_id}/aliases/{alias}': { ...viewModels, ids: aliasIds },
  'PUT /v1/api/models/{model_id}/aliases/{alias}': {
    ...manage,
    ids: aliasIds,
    idsInBody: true,
    body: ({ version }) => ({ version_id: version }),
    fresh: async ({ model }) => [model, unused()],
    audit: 'model-version-promotion',
  },
  'DELETE /v1/api/models/{model_id}/aliases/{alias}': {
    ...manage,
    status: 204,
    ids: aliasIds,
    fresh: async ({ model, version }, creator) => {
      const alias = unused();
      await creator.send('PUT', `/v1/api/models/${model}/aliases/${alias}`, { body: { version_id: version } });
      return [model, alias];
    },
    audit: 'model-version-demotion',
  },

  'POST /v1/api/prediction/{model_id}/{name}': {
    ...manage,
    ids: aliasIds,
    body: () => ({ customer_id: 'C1' }),
    audit: 'prediction-consumption',
  },
  'GET /v1/api/predictions': { ...manage, list: true },
  'GET /v1/api/predictions/{id}': { ...manage, ids: ({ prediction }) => [prediction] },

  'POST /v1/api/erasures': {
    ...files,
    status: 202,
    body: () => ({ identifier: unused() }),
    audit: 'erasure-lifecycle',
  },
  'GET /v1/api/erasures': { ...files, list: true },
  'POST /v1/api/erasures/{id}/interrupt': {
    ...files,
    ids: ({ erasure }) => [erasure],
    fresh: async (_, creator) => [(await creator.post('/v1/api/erasures', { identifier: unused() })).body.id],
    audit: 'erasure-lifecycle',
  },
  'GET /v1/api/erasures/{id}': { ...files, ids: ({ erasure }) => [erasure] },

  'POST /v2/api/batches': {
    right: 'Create batches; cancel batches',
    status: 202,
    idsInBody: true,
    body: ({ file, model, alias }) => ({ files: [file], model: `${model}/${alias}` }),
    mixed: (own, foreign) => [
      { files: [own.file], model: `${foreign.model}/${foreign.alias}` },
      { files: [own.file], model: { model_id: own.model, version_id: foreign.version } },
      { files: [{ path: `${foreign.canary}/customers.csv` }], model: `${own.model}/${own.alias}` },
    ],
    audit: 'batch-request',
  },
  'GET /v2/api/batches': { ...viewBatches, list: true },
  'GET /v2/api/batches/{id}': { ...viewBatches, ids: ({ batch }) => [batch] },
  'POST /v2/api/batches/{id}/interrupt': {
    right: 'Create batches; cancel batches',
    status: 200,
    ids: ({ batch }) => [batch],
    fresh: async ({ file, model, alias }, creator) => [
      (await creator.post('/v2/api/batches', { files: [file], model: `${model}/${alias}` })).body.id,
    ],
    audit: 'batch-interrupt-request',
  },
  'GET /v2/api/batches/{id}/errors': { ...results, ids: ({ batch }) => [batch], list: true },
  'GET /v2/api/batches/{id}/result': { ...results, ids: ({ batch }) => [batch] },
  'GET /v2/api/batches/{id}/result/files/{position}': {
    right: 'address',
    status: 403,
    ids: ({ batch }) => [batch, '0'],
  },
  'GET /v2/api/batches/{id}/result/archive': { right: 'address', status: 403, ids: ({ batch }) => [batch] },
  'DELETE /v2/api/batches/{id}/result': {
    ...results,
    ids: ({ batch }) => [batch],
    fresh: async ({ canary, model, alias }, creator) => [await makeBatch(creator, canary, `${model}/${alias}`)],
    audit: 'batch-result-deletion',
  },

  'GET /v1/api/events': { ...events, list: true },
  'GET /v1/api/events/stream': { ...events, isEndless: true },
  'GET /v1/api/events/{id}': { ...events, ids: ({ event }) => [event] },
};

/** What has moved to v2 is still served under v1, with the same rights; signed addresses are not. */
export const expectations: Readonly<Record<string, Expectation>> = {
  ...current,
  ...Object.fromEntries(
    Object.entries(current)
      .filter(([route, { right }]) => / \/v2\//.test(route) && right !== 'address')
      .map(([route, expectation]) => [
        route.replace('/v2/api/batches', '/v1/api/batches').replace('/v2/api/files', '/v1/api/batch-inputs'),
        expectation,
      ]),
  ),
};

function versionIds({ model, version }: World) {
  return [model, version];
}

function aliasIds({ model, alias }: World) {
  return [model, alias];
}

async function proposeContract(_: World, creator: Client) {
  return [(await creator.post('/v1/api/contracts', { document: contractText('fresh') })).body.id as string];
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
