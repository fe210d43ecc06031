import { Type } from 'typebox';
import { tenant } from '../../tenancy/doors.ts';
import { refuse } from '../../tenancy/errors.ts';
import { type Route, route } from '../../tenancy/route.ts';
import type { App } from '../app.ts';
import { pageOf, pageQuery, readPage } from '../list.ts';
import { acceptContract, rejectContract } from './accept.ts';
import { contractSchema, presentContract } from './contract.ts';
import { proposeContract } from './propose.ts';
import { selectContract, selectContracts } from './sql.ts';

const params = Type.Object({ id: Type.String() });
const documentLengthMax = 1_500_000;

export const contractRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v1/api/contracts',
      operation: 'contracts.create',
      summary: 'Propose a contract version',
      access: 'upload_files',
      creates: true,
      body: Type.Object(
        {
          document: Type.String({ minLength: 1, maxLength: documentLengthMax, description: 'The contract in YAML.' }),
          accept: Type.Optional(Type.Boolean({ description: 'Make it the active one at once.' })),
        },
        {
          additionalProperties: false,
          examples: [
            { document: 'apiVersion: v3.1.0\nkind: DataContract\nid: shop\nversion: "1"\nschema: []\n', accept: true },
          ],
        },
      ),
      answers: { 201: contractSchema },
    },
    (ctx, { body }) => proposeContract(app, ctx, body),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/contracts/{id}/acceptance',
      operation: 'contracts.accept',
      summary: 'Make a proposed contract version the active one, and ingest again the files that asked for it',
      access: 'upload_files',
      params,
      answers: {
        200: Type.Intersect([
          contractSchema,
          Type.Object({
            started_ingestion_id: Type.Union([Type.String(), Type.Null()], {
              description: 'Null where no files asked for it, or one of them has been deleted since: send them again.',
            }),
          }),
        ]),
      },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await acceptContract(app, ctx, id) }),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/contracts/{id}/rejection',
      operation: 'contracts.reject',
      summary: 'Set a proposed contract version aside',
      access: 'upload_files',
      params,
      answers: { 200: contractSchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await rejectContract(app, ctx, id) }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/contracts',
      operation: 'contracts.list',
      summary: 'Contract versions, newest first',
      access: 'view_models',
      query: Type.Object(pageQuery),
      answers: { 200: pageOf(contractSchema) },
    },
    async (ctx, { query }) => ({
      status: 200,
      body: await readPage(
        app.keys.cursors,
        [ctx.workspaceId, 'contracts'],
        query,
        (before, most) => tenant(app.db, ctx, (tx) => selectContracts(tx, before, most)),
        presentContract,
      ),
    }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/contracts/{id}',
      operation: 'contracts.get',
      summary: 'One contract version',
      access: 'view_models',
      params,
      answers: { 200: contractSchema },
    },
    async (ctx, { params: { id } }) => {
      const row = await tenant(app.db, ctx, (tx) => selectContract(tx, id));
      if (!row) throw refuse('not_found', `there is no contract ${id}`);
      return { status: 200, body: presentContract(row) };
    },
  ),
];
