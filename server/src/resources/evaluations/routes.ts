import { Type } from 'typebox';
import { readRoutes } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { allows } from '../../lib/http/validate.ts';
import { segmentsMax } from '../../ml/evaluation/segments.ts';
import type { App } from '../app.ts';
import { mappingSchema } from '../batches/column-mapping.ts';
import { targetSchema } from '../batches/target.ts';
import { fileByPath } from '../files/file.ts';
import { createEvaluation } from './create.ts';
import { evaluationSchema, finishedStatuses, presentEvaluation } from './evaluation.ts';
import { interruptEvaluation } from './interrupt.ts';
import { selectEvaluation, selectEvaluations } from './sql.ts';

const params = Type.Object({ id: Type.String() });

export const evaluationRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v1/api/evaluations',
      operation: 'evaluations.create',
      summary: 'Say what a version is worth on a labelled file, or which of two is better',
      description:
        "Each row is predicted as of its own moment, over the newest data. The file has the task's key, time and label columns (a column of the output's name for each of several horizons); labels that the task makes from the tables need none. New rows that the tables do not have bring the inputs of the version. What is not known by reference_date is not read, and labels that were not known by then are left out.",
      access: 'create_batches',
      creates: true,
      body: Type.Object(
        {
          file: Type.Union([shortText('Id of an uploaded file.'), fileByPath], {
            description: 'The labelled file: CSV, Parquet or JSONL.',
          }),
          model: targetSchema(
            'Whom to evaluate: "<model>/<alias, version number or id>", its parts, or the id of the training run that made it. It need not be active.',
          ),
          compare_with: Type.Optional(
            targetSchema('Another one that answers the same question, measured on the same rows.'),
          ),
          segments: Type.Optional(
            Type.Array(shortText(), {
              maxItems: segmentsMax,
              description:
                "Columns of the file, or of the entity's table as known at each row's moment, whose values are told apart.",
            }),
          ),
          column_mapping: Type.Optional(
            mappingSchema(
              'The columns of the file that are called otherwise than they are read, by the name by which they are: {"date": "DATA_REF"}. The names are those of GET /v1/api/models/{model_id}/versions/{version_id}/labelled-file. A file without a column named here fails.',
            ),
          ),
          reference_date: Type.Optional(
            Type.String({
              pattern: '^\\d{4}-\\d{2}-\\d{2}$',
              [allows]: 'a day such as 2024-01-31',
              description: 'Read nothing after the end of this day.',
            }),
          ),
        },
        {
          title: 'EvaluationRequest',
          additionalProperties: false,
          examples: [
            {
              file: { path: 'labelled.csv' },
              model: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5/challenger',
              compare_with: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5/production',
              segments: ['region'],
            },
          ],
        },
      ),
      problems: [
        'limit_exceeded',
        'quota_exceeded',
        'invalid',
        'invalid_input',
        'reference_date_in_future',
        'not_found',
        'file_not_uploaded',
        'file_deleted',
        'object_damaged',
        'no_data',
      ],
      answers: { 202: evaluationSchema },
    },
    (ctx, { body }) => createEvaluation(app, ctx, body as Parameters<typeof createEvaluation>[2]),
  ),
  ...readRoutes(app, {
    path: 'evaluations',
    table: 'evaluations',
    operation: 'evaluations',
    noun: 'evaluation',
    summaries: ['Evaluations, newest first', 'One evaluation, with its result once it has succeeded'],
    access: 'view_models',
    schema: evaluationSchema,
    selectPage: selectEvaluations,
    selectOne: selectEvaluation,
    present: presentEvaluation,
    isOver: ({ status }) => finishedStatuses.includes(status),
  }),
  route(
    {
      method: 'POST',
      path: '/v1/api/evaluations/{id}/interrupt',
      operation: 'evaluations.interrupt',
      summary: 'Stop an evaluation',
      access: 'cancel_batches',
      params,
      problems: ['already_finished'],
      answers: { 200: evaluationSchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await interruptEvaluation(app, ctx, id) }),
  ),
];
