import { Type } from 'typebox';
import { readRoutes } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import type { App } from '../app.ts';
import { acceptContract, rejectContract, type StartIngestion } from './accept.ts';
import { contractSchema, presentContract } from './contract.ts';
import { contractExample } from './example.ts';
import { proposeContract } from './propose.ts';
import { selectContract, selectContracts } from './sql.ts';

const params = Type.Object({ id: Type.String() });
export const documentLengthMax = 1_500_000;

export const contractRoutes = (app: App, startIngestion: StartIngestion): Route[] => [
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
          title: 'ContractRequest',
          additionalProperties: false,
          examples: [
            { document: 'apiVersion: v3.1.0\nkind: DataContract\nid: shop\nversion: "1"\nschema: []\n', accept: true },
          ],
        },
      ),
      problems: ['invalid_contract', 'conflict', 'budget_exceeded'],
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
      problems: ['conflict'],
      answers: {
        200: Type.Intersect(
          [
            contractSchema,
            Type.Object({
              started_ingestion_id: Type.Union([Type.String(), Type.Null()], {
                description:
                  'Null where no files asked for it, or one of them has been deleted since: send them again.',
              }),
            }),
          ],
          {
            title: 'AcceptedContract',
            examples: [{ ...contractExample, started_ingestion_id: 'ing_0199f3a8c4d27b1e9c55d0a1b2c3d4e6' }],
          },
        ),
      },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await acceptContract(app, startIngestion, ctx, id) }),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/contracts/{id}/rejection',
      operation: 'contracts.reject',
      summary: 'Set a proposed contract version aside',
      access: 'upload_files',
      params,
      problems: ['conflict'],
      answers: { 200: contractSchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await rejectContract(app, ctx, id) }),
  ),
  ...readRoutes(app, {
    path: 'contracts',
    operation: 'contracts',
    noun: 'contract',
    summaries: ['Contract versions, newest first', 'One contract version'],
    access: 'view_models',
    schema: contractSchema,
    selectPage: selectContracts,
    selectOne: selectContract,
    present: presentContract,
  }),
];
