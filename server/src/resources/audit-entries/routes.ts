import { Type } from 'typebox';
import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { pageOf, pageQuery } from '../../api/list.ts';
import { answerOf } from '../../api/named.ts';
import { type Route, route } from '../../api/route.ts';
import type { App } from '../app.ts';
import { checkpointExample, checkpointSchema, presentCheckpoint } from '../audit-checkpoints/checkpoint.ts';
import { entrySchema, presentEntry } from './entry.ts';
import { filterQuery } from './filter.ts';
import { proveEntry } from './prove.ts';
import { getEntry, listEntries } from './read.ts';

const proofSchema = answerOf(
  'AuditProof',
  {
    entry_id: 'aud_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
    leaf_index: 0,
    leaf_hash: '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    path: ['96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7'],
    checkpoint: checkpointExample,
  },
  {
    entry_id: Type.String(),
    leaf_index: Type.Integer(),
    leaf_hash: Type.String({ description: "SHA-256, in hex, of a zero byte and the entry's canonical JSON." }),
    path: Type.Array(Type.String(), { description: 'The inclusion proof of RFC 6962 §2.1.1, in hex, lowest first.' }),
    checkpoint: checkpointSchema,
  },
);

const sealed = 'Entries are sealed about a second after they are recorded; docs/audit.md says how they are verified.';
const size = Type.Optional(
  Type.Integer({ minimum: 1, description: 'Of a checkpoint, in whose tree it is proved; by default of the newest.' }),
);
const params = Type.Object({ id: Type.String() });

export const auditEntryRoutes = (app: App): Route[] => [
  ...routesIn(app, 'workspace', '/v1/api/audit-entries', 'auditEntries', 'in the workspace'),
  ...routesIn(
    app,
    'organization',
    '/v1/api/organization/audit-entries',
    'organizationAuditEntries',
    'in the organization as a whole',
  ),
];

function routesIn(
  app: App,
  scope: 'workspace' | 'organization',
  path: string,
  operation: string,
  where: string,
): Route[] {
  const readable = { access: 'view_activity_logs', scope } as const;
  return [
    route(
      {
        method: 'GET',
        path,
        operation: `${operation}.list`,
        summary: `What was done ${where}, newest first`,
        description: `${sealed} Reading is recorded too.`,
        ...readable,
        query: Type.Object({ ...pageQuery, ...filterQuery }),
        answers: { 200: pageOf(entrySchema) },
      },
      async (ctx: Context<Scope>, { query }) => ({
        status: 200,
        body: await listEntries(app, ctx, query, presentEntry),
      }),
    ),
    route(
      {
        method: 'GET',
        path: `${path}/{id}`,
        operation: `${operation}.get`,
        summary: `One act ${where}`,
        description: 'Reading is recorded too.',
        ...readable,
        params,
        answers: { 200: entrySchema },
      },
      async (ctx: Context<Scope>, { params: { id } }) => ({
        status: 200,
        body: presentEntry(await getEntry(app, ctx, id)),
      }),
    ),
    route(
      {
        method: 'GET',
        path: `${path}/{id}/proof`,
        operation: `${operation}.getProof`,
        summary: `The proof that an act ${where} is in the signed tree`,
        description: sealed,
        ...readable,
        params,
        query: Type.Object({ size }),
        problems: ['conflict'],
        answers: { 200: proofSchema },
      },
      async (ctx: Context<Scope>, { params: { id }, query }) => {
        const { leaf_index, leaf_hash, path, checkpoint } = await proveEntry(app, ctx, id, query.size);
        const body = {
          ...{ entry_id: id, leaf_index, leaf_hash: leaf_hash.toString('hex') },
          path: path.map((hash) => hash.toString('hex')),
          checkpoint: presentCheckpoint(checkpoint),
        };
        return { status: 200, body };
      },
    ),
  ];
}
