import { type Static, Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { messageValuesSchema } from '../../api/message-values.ts';
import { answerOf, objectOf } from '../../api/named.ts';
import { readRoutes } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import { freeBytesMax, freeObject, shortText } from '../../api/texts.ts';
import { refuse } from '../../errors.ts';
import { isMultipart } from '../../lib/http/multipart.ts';
import { didYouMean } from '../../lib/nearest-word.ts';
import { rowsListedMax } from '../../ml/contract/deviation.ts';
import { nameLengthMax } from '../../ml/contract/size.ts';
import type { App } from '../app.ts';
import { booleanField, jsonField, refuseTexts } from '../files/fields.ts';
import { fieldsMax, type Parts, receiveParts } from '../files/receive-parts.ts';
import { createIngestion } from './create.ts';
import { deviationsExample } from './example.ts';
import { type AskedIngestion, ingestionSchema, modes, openStatuses, presentIngestion } from './ingestion.ts';
import { interruptIngestion } from './interrupt.ts';
import { selectIngestion, selectIngestionInTurn, selectIngestions } from './sql.ts';

const params = Type.Object({ id: Type.String() });
export const filesMax = 500;

const requestSchema = Type.Object(
  {
    files: Type.Array(
      Type.Object(
        {
          file_id: shortText(),
          table: Type.String({
            minLength: 1,
            maxLength: nameLengthMax,
            description: 'Of the contract, or a new one: letters, digits, _, and between them blanks, . and -.',
          }),
          mode: Type.Optional(Type.String({ enum: [...modes], default: 'append' })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: filesMax },
    ),
    accept_contract: Type.Optional(
      Type.Boolean({
        description:
          'Where the files ask for a contract, or for another version of it: whether that becomes the active one at once, if they come in under it. It is listed with the reason of each guess or change, and proposed_contract_id names it.',
      }),
    ),
    metadata: Type.Optional(freeObject('Yours; given back as is.')),
  },
  {
    title: 'IngestionRequest',
    additionalProperties: false,
    examples: [{ files: [{ file_id: 'file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5', table: 'orders', mode: 'append' }] }],
  },
);

const partsSchema = Type.Object(
  {
    mode: Type.Optional(
      Type.String({
        enum: [...modes],
        description: 'Of all files; append by default. A part mode.<table> says it of the files of one table.',
      }),
    ),
    accept_contract: Type.Optional(Type.Boolean()),
    metadata: Type.Optional(Type.String({ maxLength: freeBytesMax, description: 'An object as JSON.' })),
  },
  {
    title: 'IngestionParts',
    maxProperties: filesMax + fieldsMax,
    examples: [{ orders: 'order_id,amount\nO1,80\n', mode: 'append', accept_contract: true }],
    additionalProperties: {
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description: 'A file, in a part that is named after its table.',
    },
  },
);

/** Begins the name of the part with the mode of one table. */
const modePrefix = 'mode.';

const ingestionParts: Parts<typeof requestSchema> = {
  body: requestSchema,
  filesMax,
  read(fields, files) {
    const { mode, accept_contract, metadata, ...others } = Object.fromEntries(fields);
    const modes = new Map(Object.entries(others).filter(([name]) => name.startsWith(modePrefix)));
    refuseTexts(Object.fromEntries(Object.entries(others).filter(([name]) => !modes.has(name))));
    refuseModes([...modes.keys()], new Set(files.map(({ name }) => name)));
    const modeOf = (table: string) => modes.get(`${modePrefix}${table}`) ?? mode;
    return {
      files: files.map(({ id, name }) => {
        const own = modeOf(name);
        return { file_id: id, table: name, ...(own !== undefined && { mode: own }) };
      }),
      ...(accept_contract !== undefined && { accept_contract: booleanField(accept_contract) }),
      ...(metadata !== undefined && { metadata: jsonField('metadata', metadata) }),
    };
  },
};

/** Refuses modes of tables of which no file was sent. */
function refuseModes(names: readonly string[], tables: ReadonlySet<string>): void {
  const problems = names.flatMap((name) => {
    const table = name.slice(modePrefix.length);
    if (tables.has(table)) return [];
    return [{ at: `/${name}`, message: `is of a table without a file${didYouMean(table, [...tables])}` }];
  });
  if (problems.length === 0) return;
  throw refuse('schema_mismatch', `the part ${problems[0].at.slice(1)} ${problems[0].message}`, { problems });
}

function askedBy({ files, accept_contract, metadata }: Static<typeof requestSchema>): AskedIngestion {
  return {
    files: files.map(({ mode, ...rest }) => ({ ...rest, mode: (mode ?? 'append') as 'append' })),
    ...(accept_contract !== undefined && { acceptContract: accept_contract }),
    ...(metadata && { metadata }),
  };
}

export const ingestionRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v1/api/ingestions',
      operation: 'ingestions.create',
      summary: 'Take uploaded files into the tables',
      description:
        'Every file is checked whole against the active contract; all are taken in together or none is. Without a contract one is inferred from the files and proposed. Sent as multipart/form-data, the files themselves are its parts, each named after its table; they are stored as uploaded files.',
      access: 'upload_files',
      creates: true,
      body: requestSchema,
      parts: partsSchema,
      problems: [
        'invalid',
        'budget_exceeded',
        'not_found',
        'file_not_uploaded',
        'file_deleted',
        'limit_exceeded',
        'quota_exceeded',
      ],
      answers: { 202: ingestionSchema },
    },
    (ctx, call) =>
      isMultipart(call.exchange)
        ? receiveParts(app, ctx, call, ingestionParts, (ctx, body, keep) =>
            createIngestion(app, ctx, askedBy(body), keep),
          )
        : createIngestion(app, ctx, askedBy(call.body)),
  ),
  ...readRoutes(app, {
    path: 'ingestions',
    table: 'ingestions',
    operation: 'ingestions',
    noun: 'ingestion',
    summaries: ['Ingestions, newest first', 'One ingestion, with the report of what is in the data'],
    access: 'view_models',
    schema: ingestionSchema,
    selectPage: selectIngestions,
    selectOne: selectIngestionInTurn,
    present: presentIngestion,
    isOver: ({ status }) => !openStatuses.includes(status),
  }),
  route(
    {
      method: 'POST',
      path: '/v1/api/ingestions/{id}/interrupt',
      operation: 'ingestions.interrupt',
      summary: 'Stop an ingestion, of which nothing is taken in',
      access: 'upload_files',
      params,
      problems: ['already_finished'],
      answers: { 200: ingestionSchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await interruptIngestion(app, ctx, id) }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/ingestions/{id}/deviations',
      operation: 'ingestions.getDeviations',
      summary: 'How the files deviate from the contract: counts by rule, first rows concerned',
      access: 'upload_files',
      params,
      answers: {
        200: answerOf('IngestionDeviations', deviationsExample, {
          id: Type.String(),
          status: Type.String(),
          classification: Type.Union([Type.String({ enum: ['new_contract_version', 'data_error'] }), Type.Null()]),
          proposed_contract_id: Type.Union([Type.String(), Type.Null()]),
          files: Type.Array(
            objectOf('FileDeviations', {
              file_id: Type.String(),
              path: Type.String(),
              table: Type.String(),
              rows: Type.Integer(),
              deviations: Type.Array(
                objectOf('Deviation', {
                  kind: Type.String(),
                  rule: Type.String(),
                  column: Type.Union([Type.String(), Type.Null()]),
                  count: Type.Integer(),
                  message: Type.String(),
                  values: messageValuesSchema('What the message names, by the rule: to say it in other words.'),
                  samples: Type.Array(
                    Type.Object({ row: Type.Integer(), value: Type.Union([Type.String(), Type.Null()]) }),
                  ),
                  rows: Type.Optional(
                    Type.Array(Type.Integer(), {
                      description: `The rows concerned, from 1, up to ${rowsListedMax.toLocaleString('en')} of a file: all of them where they are as many as count says. Absent where columns deviate.`,
                    }),
                  ),
                }),
              ),
            }),
          ),
        }),
      },
    },
    async (ctx, { params: { id } }) => {
      const row = await tenant(app.db, ctx, (tx) => selectIngestion(tx, id));
      if (!row) throw refuse('not_found', `there is no ingestion ${id}`);
      const files = row.deviations ?? [];
      const classification =
        row.status !== 'refused' ? null : row.proposed_contract_id ? 'new_contract_version' : 'data_error';
      return {
        status: 200,
        body: { id, status: row.status, classification, proposed_contract_id: row.proposed_contract_id, files },
      };
    },
  ),
];
