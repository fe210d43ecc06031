import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { pageOf, pageQuery, readPage } from '../../api/list.ts';
import { objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { type Route, route } from '../../api/route.ts';
import { refuse } from '../../errors.ts';
import { bytesMax } from '../../lib/http/size-bounds.ts';
import { type Ask, openAsk } from '../../serving/ask.ts';
import type { App } from '../app.ts';
import { answerExample } from './example.ts';
import { type Predicting, predict } from './predict.ts';
import { predictionSchema, presentPrediction } from './prediction.ts';
import { selectPrediction, selectPredictions } from './sql.ts';

/** Most inputs of a prediction: more than a table has columns. */
export const inputsMax = 6_000;
/** Most bytes of the inputs of a prediction, which are kept with it. */
export const inputBytesMax = 256 * 1024;
const includable = ['explanation', 'interval'] as const;

export const predictionRoutes = (app: App, ask = openAsk()): Route[] => [
  predictionRoute(app, ask),
  route(
    {
      method: 'GET',
      path: '/v1/api/predictions',
      operation: 'predictions.list',
      summary: 'Predictions answered at once, newest first',
      access: 'invoke_predictions',
      query: Type.Object({
        ...pageQuery,
        model_id: Type.Optional(Type.String()),
        version_id: Type.Optional(Type.String()),
      }),
      answers: { 200: pageOf(predictionSchema) },
    },
    async (ctx, { query: { model_id, version_id, ...page } }) => ({
      status: 200,
      body: await readPage(
        app.keys.cursors,
        [ctx.workspaceId, 'predictions', model_id, version_id],
        page,
        (before, most) => tenant(app.db, ctx, (tx) => selectPredictions(tx, { model_id, version_id }, before, most)),
        presentPrediction,
      ),
    }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/predictions/{id}',
      operation: 'predictions.get',
      summary: 'One answered prediction with what was asked',
      access: 'invoke_predictions',
      params: Type.Object({ id: Type.String() }),
      problems: ['entity_erased'],
      answers: { 200: predictionSchema },
    },
    async (ctx, { params: { id } }) => {
      const row = await tenant(app.db, ctx, (tx) => selectPrediction(tx, id));
      if (!row) throw refuse('not_found', `there is no prediction ${id}`);
      if (row.erased_at !== null) throw refuse('entity_erased', 'what was asked about has been erased');
      return { status: 200, body: presentPrediction(row) };
    },
  ),
];

/** The route that predicts. */
export const predictionRoute = (app: Predicting, ask: Ask): Route =>
  route(
    {
      method: 'POST',
      path: '/v1/api/prediction/{model_id}/{name}',
      operation: 'predictions.create',
      summary: 'Predict for one entity or new row, by alias or version id',
      description:
        'The body holds the inputs that the version declares, and optionally reference_date, correlation_id and reference_id. The answer has the outputs of the version as top-level fields.',
      access: 'invoke_predictions',
      ...{ cachedKey: true, realTime: true },
      params: Type.Object({
        model_id: Type.String(),
        name: Type.String({ description: 'An alias such as production, or a version id.' }),
      }),
      query: Type.Object({
        include: Type.Optional(Type.String({ description: `Comma-separated; of: ${includable.join(', ')}.` })),
      }),
      body: Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: inputsMax,
        [bytesMax]: inputBytesMax,
        description: 'Inputs by name, as GET /v1/api/models/{model_id}/versions/{version_id} declares them.',
        title: 'PredictionRequest',
        examples: [{ customer_id: '11222333000181', reference_date: '2026-01-31' }],
      }),
      problems: [
        'unknown_input',
        'missing_input',
        'invalid_input',
        'reference_date_in_future',
        'version_inactive',
        'no_data',
        'budget_exceeded',
        'object_damaged',
        'quota_exceeded',
      ],
      answers: {
        200: Type.Object(
          {
            prediction_id: Type.String(),
            model_id: Type.String(),
            version_id: Type.String(),
            as_of: Type.String(),
            generated_at: Type.String(),
            data_coverage: Type.String({ enum: ['full', 'partial', 'none'] }),
            data_age: nullable(Type.Integer()),
            interval: Type.Optional(
              Type.Record(Type.String(), objectOf('Interval', { lower: Type.Number(), upper: Type.Number() }), {
                description: 'By field: bounds of probabilities (Venn–Abers) and numbers (nine of ten later rows).',
              }),
            ),
          },
          { title: 'PredictionAnswer', additionalProperties: true, examples: [answerExample] },
        ),
      },
    },
    (ctx, { params: { model_id, name }, query: { include }, body, ensure }) => {
      const includes = new Set(include === undefined || include === '' ? [] : include.split(','));
      for (const part of includes)
        if (!(includable as readonly string[]).includes(part))
          throw refuse('invalid_parameter', `include knows ${includable.join(', ')}, not ${part}`, {
            problems: [{ at: '/query/include', message: `knows ${includable.join(', ')}, not ${part}` }],
          });
      return predict(app, ask, ctx, { modelId: model_id, name, body, includes }, ensure);
    },
  );
