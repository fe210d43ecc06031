import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { countedPageOf, countedQuery, pageOf, pageQuery, readPage } from '../../api/list.ts';
import { answerOf, objectOf } from '../../api/named.ts';
import { openPlaces } from '../../api/places.ts';
import { type Route, route } from '../../api/route.ts';
import { freeObject, shortText } from '../../api/texts.ts';
import { waitQuery, waitUntil } from '../../api/wait.ts';
import { countRows } from '../../lib/db/page.ts';
import { selectStatus } from '../../lib/db/status.ts';
import { csvDialects } from '../../lib/files/csv-dialect.ts';
import { csvFormulas } from '../../lib/files/formulas.ts';
import { allows } from '../../lib/http/validate.ts';
import type { App } from '../app.ts';
import { fileByPath } from '../files/file.ts';
import { batchSchema, finishedStatuses, includable, outputFormats, priorityMax } from './batch.ts';
import { mappingSchema } from './column-mapping.ts';
import { createBatch } from './create.ts';
import { deleteResult } from './delete-result.ts';
import { downloadArchive, downloadFile } from './download.ts';
import { batchErrorSchema, batchRowWarningSchema, listErrors, listWarnings } from './errors.ts';
import { resultExample } from './example.ts';
import { getBatch, presentBatches } from './get.ts';
import { interruptBatch } from './interrupt.ts';
import { listResultRows, resultRowsSchema } from './list-result-rows.ts';
import { anyWarning } from './reading.ts';
import { getResult } from './result.ts';
import { selectBatches } from './sql.ts';
import { targetSchema } from './target.ts';

const params = Type.Object({ id: Type.String() });
export const filesMax = 1000;
/** An archive is read from storage as long as it is sent. */
export const archivesOpenMax = { perKey: 8, perWorkspace: 8 };

export const batchRoutes = (app: App, archives = openPlaces('archives', archivesOpenMax)): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v2/api/batches',
      operation: 'batches.create',
      summary: 'Score the rows of uploaded files',
      description:
        'Versions, data and moment are pinned when the batch is accepted. Columns are the inputs of the version, and optionally endpoint, reference_date, correlation_id and reference_id.',
      access: 'create_batches',
      creates: true,
      body: Type.Object(
        {
          files: Type.Array(Type.Union([shortText('Id of an uploaded file.'), fileByPath]), {
            minItems: 1,
            maxItems: filesMax,
          }),
          model: targetSchema(
            'Whom to ask: "<model>/<alias or version id>", or its parts. Rows may name another in a column `endpoint`.',
          ),
          reference_date: Type.Optional(
            Type.String({
              pattern: '^\\d{4}-\\d{2}-\\d{2}$',
              [allows]: 'a day such as 2024-01-31',
              description: 'Score as of the end of this day.',
            }),
          ),
          priority: Type.Optional(
            Type.Integer({
              minimum: -priorityMax,
              maximum: priorityMax,
              description: 'Higher goes first; 0 by default. Each point counts as ten minutes of waiting.',
            }),
          ),
          output_format: Type.Optional(
            Type.String({ enum: [...outputFormats], description: 'That of each input by default.' }),
          ),
          metadata: Type.Optional(freeObject('Yours; given back as is.')),
          include: Type.Optional(
            Type.Array(Type.String({ enum: [...includable] }), {
              maxItems: includable.length,
              description:
                'interval: a column with the bounds of each answer, as JSON by field. row: a column with the number of the row in its file, from 1 and without a header, as errors name it. warnings: a column with the codes of what the warnings of the batch say of the row, with semicolons between them in CSV and as a JSON list in Parquet and JSONL; empty where there is nothing to say. input_columns: the columns of the file that nothing else reads, as texts at the end of the row; one that is called as a column of the answer is called input_<name>.',
            }),
          ),
          language: Type.Optional(
            Type.String({
              enum: ['en', 'pt-BR'],
              description: 'Of the sentences of the result; that of the workspace by default.',
            }),
          ),
          reference_column: Type.Optional(
            shortText(
              'A column of the files that no model of the batch reads: it stands in each row of the result as reference_id. A file without it fails.',
            ),
          ),
          corrects: Type.Optional(
            shortText(
              'The id of a batch of the workspace that has ended: the files have rows of it, corrected, that it left out or warned of. Both say so of each other (`corrects`, `corrected_by`).',
            ),
          ),
          column_mapping: Type.Optional(
            mappingSchema(
              'The columns of the files that inputs are read from, by input, where they are not called as these are: {"document": "CNPJ"}. The inputs are those of the batch\'s model; rows that name other models have the same names mapped. Upper and lower case of a column are the same. A file without a column named here fails.',
            ),
          ),
          csv_formulas: Type.Optional(
            Type.String({
              enum: [...csvFormulas],
              description:
                'Of CSV results. escape, the default: a text that a spreadsheet would run as a formula gets an apostrophe before it. raw: texts are as they were sent.',
            }),
          ),
          csv_dialect: Type.Optional(
            Type.String({
              enum: [...csvDialects],
              description:
                'Of CSV results. standard, the default: commas between fields, decimal points. excel_semicolon: semicolons between fields, decimal commas and a byte order mark, as Excel opens a file by itself in Portuguese and most languages of Europe.',
            }),
          ),
        },
        {
          title: 'BatchRequest',
          additionalProperties: false,
          examples: [{ files: [{ path: '2026/customers.parquet' }], model: 'churn/production' }],
        },
      ),
      problems: [
        'limit_exceeded',
        'invalid',
        'invalid_input',
        'reference_date_in_future',
        'not_found',
        'file_not_uploaded',
        'file_deleted',
        'model_training',
        'version_inactive',
        'no_data',
        'quota_exceeded',
      ],
      answers: { 202: batchSchema },
    },
    (ctx, { body }) => createBatch(app, ctx, body as Parameters<typeof createBatch>[2]),
  ),
  route(
    {
      method: 'GET',
      path: '/v2/api/batches',
      operation: 'batches.list',
      summary: 'Batches, newest first',
      access: 'view_batches',
      query: Type.Object({
        ...countedQuery,
        status: Type.Optional(Type.String({ enum: ['queued', 'running', 'succeeded', 'failed'] })),
      }),
      answers: { 200: countedPageOf(batchSchema) },
    },
    async (ctx, { query: { status, ...page } }) => {
      const found = await readPage(
        app.keys.cursors,
        [ctx.workspaceId, 'batches', status],
        page,
        (before, most) =>
          tenant(app.db, ctx, (tx) => selectBatches(tx, status === undefined ? {} : { status }, before, most)),
        (row) => row,
        (most) => tenant(app.db, ctx, (tx) => countRows(tx, { table: 'batches', filters: { status } }, most)),
      );
      const data = await tenant(app.db, ctx, (tx) => presentBatches(tx, found.data));
      return { status: 200, body: { ...found, data } };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v2/api/batches/{id}',
      operation: 'batches.get',
      summary: 'One batch with its progress',
      access: 'view_batches',
      params,
      query: Type.Object(waitQuery),
      answers: { 200: batchSchema },
    },
    async (ctx, { params: { id }, query, ...call }) => {
      const hasEnded = async () => {
        const status = await tenant(app.db, ctx, (tx) => selectStatus(tx, 'batches', id));
        return status === undefined || finishedStatuses.includes(status);
      };
      await waitUntil(app.waits, ctx, { ...call, seconds: query.wait ?? 0 }, hasEnded);
      return { status: 200, body: await tenant(app.db, ctx, (tx) => getBatch(tx, id)) };
    },
  ),
  route(
    {
      method: 'POST',
      path: '/v2/api/batches/{id}/interrupt',
      operation: 'batches.interrupt',
      summary: 'Stop a batch and keep what it has scored',
      description: 'The batch then ends as failed, with failure.code `interrupted`.',
      access: 'cancel_batches',
      params,
      problems: ['already_finished'],
      answers: { 200: batchSchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await interruptBatch(app, ctx, id) }),
  ),
  route(
    {
      method: 'GET',
      path: '/v2/api/batches/{id}/errors',
      operation: 'batches.listErrors',
      summary: 'Why rows were left out of the result, in order of file and row',
      access: 'download_results',
      params,
      query: Type.Object(pageQuery),
      problems: ['result_deleted', 'object_damaged'],
      answers: { 200: pageOf(batchErrorSchema) },
    },
    async (ctx, { params: { id }, query }) => ({ status: 200, body: await listErrors(app, ctx, id, query) }),
  ),
  route(
    {
      method: 'GET',
      path: '/v2/api/batches/{id}/warnings',
      operation: 'batches.listWarnings',
      summary: 'Scored rows that name somebody by a mistyped document, in order of file and row',
      description:
        'Those that `wrong_check_digits` of the batch counts: a CPF or CNPJ that is not in the data and whose check digits are wrong, or, where all in the data are named by CPF or CNPJ, what is none. They have an answer, as of somebody unknown; corrected, they may be scored again (`corrects`). At least the first 100,000 of a file.',
      access: 'download_results',
      params,
      query: Type.Object(pageQuery),
      problems: ['result_deleted', 'object_damaged'],
      answers: { 200: pageOf(batchRowWarningSchema) },
    },
    async (ctx, { params: { id }, query }) => ({ status: 200, body: await listWarnings(app, ctx, id, query) }),
  ),
  route(
    {
      method: 'GET',
      path: '/v2/api/batches/{id}/result',
      operation: 'batches.getResult',
      summary: 'Short-lived addresses to download the result by',
      description: 'download_url is the file of a batch of one, and otherwise a ZIP archive of all.',
      access: 'download_results',
      params,
      problems: ['batch_not_finished', 'batch_without_result', 'result_deleted', 'object_damaged'],
      answers: {
        200: answerOf('BatchResult', resultExample, {
          download_url: Type.String(),
          expires_at: Type.String(),
          files: Type.Array(
            objectOf('BatchResultFile', {
              file_id: Type.String({ description: 'The input.' }),
              path: Type.String(),
              download_url: Type.String(),
              rows: Type.Integer(),
              bytes: Type.Integer(),
              sha256: Type.String(),
            }),
          ),
        }),
      },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await getResult(app, ctx, id) }),
  ),
  route(
    {
      method: 'GET',
      path: '/v2/api/batches/{id}/result/files/{position}',
      operation: 'batches.downloadFile',
      summary: 'One file of a result, by its download_url',
      access: 'download_results',
      signed: true,
      params: Type.Object({ id: Type.String(), position: Type.Integer({ minimum: 0 }) }),
      problems: ['batch_not_finished', 'batch_without_result', 'result_deleted', 'object_damaged'],
      answers: { 200: null, 206: null, 304: null },
      produces: 'application/octet-stream',
      headers: ['Range', 'If-Range', 'If-None-Match'],
    },
    (ctx, { params: { id, position }, ...call }) => downloadFile(app, ctx, { id, position }, call),
  ),
  route(
    {
      method: 'GET',
      path: '/v2/api/batches/{id}/result/rows',
      operation: 'batches.listResultRows',
      summary: 'Rows of one file of a result, in its order or by a number',
      description: 'The whole file is looked through for each page, a million rows in seconds.',
      access: 'download_results',
      params,
      query: Type.Object({
        ...pageQuery,
        file_id: Type.Optional(shortText('The input whose rows are told; left out, the first that has a result.')),
        order_by: Type.Optional(
          shortText(
            'A column of the file by whose numbers the rows are ordered, such as score; rows without one are the last. Left out, they are in the order of the file.',
          ),
        ),
        order: Type.Optional(
          Type.String({ enum: ['descending', 'ascending'], default: 'descending', description: 'Of order_by.' }),
        ),
        risk_band: Type.Optional(shortText('The rows of this band alone, such as High Risk.')),
        warning: Type.Optional(
          shortText(
            `The rows with this code in the column warnings alone, such as stale_data, or with any (${anyWarning}); for a batch that was asked to include it.`,
          ),
        ),
        known: Type.Optional(
          Type.Boolean({
            description:
              'true: the rows alone of whom something is known; false: those of whom nothing is (`data_coverage` none).',
          }),
        ),
      }),
      problems: ['batch_not_finished', 'batch_without_result', 'result_deleted', 'budget_exceeded', 'object_damaged'],
      answers: { 200: resultRowsSchema },
    },
    async (ctx, { params: { id }, query, ensure }) => {
      const body = await listResultRows(app, ctx, id, query);
      await ensure();
      return { status: 200, body };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v2/api/batches/{id}/result/archive',
      operation: 'batches.downloadArchive',
      summary: 'All files of a result as one ZIP archive, by its download_url',
      access: 'download_results',
      signed: true,
      params,
      problems: ['batch_not_finished', 'batch_without_result', 'result_deleted', 'object_damaged'],
      answers: { 200: null },
      produces: 'application/zip',
    },
    async (ctx, { params: { id }, ...call }) => {
      call.exchange.onClose(archives.take(ctx));
      return downloadArchive(app, ctx, id, call);
    },
  ),
  route(
    {
      method: 'DELETE',
      path: '/v2/api/batches/{id}/result',
      operation: 'batches.deleteResult',
      summary: 'Delete the files of a result',
      access: 'delete_results',
      params,
      problems: ['batch_not_finished', 'batch_without_result'],
      answers: { 200: batchSchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await deleteResult(app, ctx, id) }),
  ),
];
