import { Type } from 'typebox';
import { objectOf } from '../../api/named.ts';
import { readRoutes } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { isMultipart } from '../../lib/http/multipart.ts';
import type { App } from '../app.ts';
import { booleanField } from '../files/fields.ts';
import { type Parts, receiveParts } from '../files/receive-parts.ts';
import { acceptContract, rejectContract } from './accept.ts';
import { contractSchema, presentContract } from './contract.ts';
import { contractExample } from './example.ts';
import { type PlanAdoption, proposeContract } from './propose.ts';
import { selectContract, selectContracts } from './sql.ts';

const params = Type.Object({ id: Type.String() });

/** What accepting a contract did to the data. */
const adoptionSchema = objectOf('ContractAdoption', {
  started_ingestion_id: Type.Union([Type.String(), Type.Null()], {
    description:
      'The ingestion that brings the data under it. Null where it was not accepted, where no data have to change, and where tables must be sent again.',
  }),
  tables_to_send_again: Type.Array(Type.String(), {
    description:
      'Tables that it stores otherwise and of which files are gone: send all of their rows with mode replace. Until then training runs are refused, and ingestions without them.',
  }),
});

const adoptedSchema = (title: string, started_ingestion_id: string | null) =>
  Type.Intersect([contractSchema, adoptionSchema], {
    title,
    examples: [{ ...contractExample, started_ingestion_id, tables_to_send_again: [] }],
  });

export const documentLengthMax = 1_500_000;

const documentSchema = Type.String({
  minLength: 1,
  maxLength: documentLengthMax,
  description: 'The contract in YAML.',
});
const documentExample = 'apiVersion: v3.1.0\nkind: DataContract\nid: shop\nversion: "1"\nschema: []\n';

const requestSchema = Type.Object(
  {
    document: documentSchema,
    accept: Type.Optional(Type.Boolean({ description: 'Make it the active one at once.' })),
    ingestion_id: Type.Optional(
      shortText('A refused ingestion whose files wait for this version: they come in under it once it is accepted.'),
    ),
  },
  {
    title: 'ContractRequest',
    additionalProperties: false,
    examples: [{ document: documentExample, accept: true }],
  },
);

const partsSchema = Type.Object(requestSchema.properties, {
  title: 'ContractParts',
  additionalProperties: false,
  examples: [{ document: documentExample, accept: true }],
});

const contractParts: Parts<typeof requestSchema> = {
  body: requestSchema,
  filesMax: 0,
  texts: ['document'],
  read(fields, files) {
    const { accept, ...others } = Object.fromEntries(fields);
    const named = Object.fromEntries(files.map(({ id, name }) => [name, id]));
    return { ...others, ...named, ...(accept !== undefined && { accept: booleanField(accept) }) };
  },
};

export const contractRoutes = (app: App, planAdoption: PlanAdoption): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v1/api/contracts',
      operation: 'contracts.create',
      summary: 'Propose a contract version',
      access: 'upload_files',
      creates: true,
      description:
        'Sent as multipart/form-data, the part document is the text of the contract, also where it comes as a file.',
      body: requestSchema,
      parts: partsSchema,
      problems: ['invalid_contract', 'not_found', 'conflict', 'budget_exceeded'],
      answers: { 201: adoptedSchema('ContractProposal', null) },
    },
    (ctx, call) =>
      isMultipart(call.exchange)
        ? receiveParts(app, ctx, call, contractParts, (ctx, body) => proposeContract(app, planAdoption, ctx, body))
        : proposeContract(app, planAdoption, ctx, call.body),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/contracts/{id}/acceptance',
      operation: 'contracts.accept',
      summary: 'Make a proposed contract version the active one, and bring the data under it',
      description:
        'An ingestion is started: of the files that asked for the version, or, without any, one that only reads again what the version stores otherwise. Asked of the active version, it is started once more if the data are under an earlier one still.',
      access: 'upload_files',
      params,
      problems: ['conflict'],
      answers: {
        200: adoptedSchema('AcceptedContract', 'ing_0199f3a8c4d27b1e9c55d0a1b2c3d4e6'),
      },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await acceptContract(app, planAdoption, ctx, id) }),
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
    table: 'contracts',
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
