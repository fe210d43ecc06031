import { Type } from 'typebox';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { countedPageOf, countedQuery, readPage } from '../../api/list.ts';
import { objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { type Route, route } from '../../api/route.ts';
import { refuse } from '../../errors.ts';
import { bytesMax } from '../../lib/http/size-bounds.ts';
import { type Ask, openAsk } from '../../serving/ask.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { modelName } from '../models/model.ts';
import { type Part, parts } from './answer.ts';
import { answerExample } from './example.ts';
import { filterNames, filterQuery, readFilter } from './filter.ts';
import { type Predicting, predict } from './predict.ts';
import { asOfSaid, inputBytesMax, inputsMax, predictionSchema, presentPrediction } from './prediction.ts';
import { requirePrediction } from './require.ts';
import { countPredictions, lookedAtMax, selectPredictions } from './sql.ts';
import { bucketNames, predictionStatistics, type StatisticsQuery, spansOf, statisticsSchema } from './statistics.ts';

const includable = parts.filter((part) => part !== 'language');

const factorsSaid = 'What moved the answer most, in sentences: first what moved its number most, up or down.';

const factorSchema = objectOf('ExplainedFactor', {
  code: Type.String({ description: 'What it is about, the same in all versions.' }),
  group: Type.String(),
  contribution: Type.Number({
    description:
      'To the margin of the model: log-odds of a probability; of numbers in their own unit or its logarithm.',
  }),
  effect: Type.Number({
    description: 'On the number in `explained`, in `effect_unit`; above zero it makes it larger.',
  }),
  effect_unit: nullable(
    Type.String({
      description: "points of a score, percentage_points of a probability, or the number's own unit; null: not known.",
    }),
  ),
  value: nullable(Type.Number({ description: 'What the model read; null: missing.' })),
  usual: nullable(Type.Number({ description: 'The median of training rows; null: mostly missing.' })),
  path: Type.Unknown({ description: 'Which rows were read, and what of them.' }),
  text: Type.String({ description: 'As in key_factors or risk_factors.' }),
});

const explainedSchema = objectOf('Explained', {
  field: Type.String({ description: 'The field of the answer that effects are about.' }),
  unit: nullable(Type.String()),
  answer: Type.Number({ description: 'Its number before rounding.' }),
  usual: Type.Number({ description: "Its number for the model's average margin." }),
  others: Type.Number({ description: 'Effect of all that is not listed: usual + effects + others = answer.' }),
});

export const predictionRoutes = (app: App, ask = openAsk()): Route[] => [
  predictionRoute(app, ask),
  route(
    {
      method: 'GET',
      path: '/v1/api/predictions',
      operation: 'predictions.list',
      summary: 'Predictions answered at once, newest first',
      description: `A page, and total, look at ${lookedAtMax} predictions for those that fit, unless they are of one entity: a page may have few or none and has_more, and the next one goes on.`,
      access: 'invoke_predictions',
      query: Type.Object({ ...countedQuery, ...filterQuery }),
      answers: { 200: countedPageOf(predictionSchema) },
    },
    async (ctx, { query: { limit, cursor, count = false, ...asked } }) => ({
      status: 200,
      body: await readPage(
        app.keys.cursors,
        [ctx.workspaceId, 'predictions', ...filterNames.map((name) => asked[name])],
        { count, ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) },
        (before, most) =>
          tenant(app.db, ctx, async (tx) => selectPredictions(tx, await readFilter(tx, asked), before, most)),
        presentPrediction,
        (most) => tenant(app.db, ctx, async (tx) => countPredictions(tx, await readFilter(tx, asked), most)),
      ),
    }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/predictions/statistics',
      operation: 'predictions.getStatistics',
      summary: 'How many predictions were answered, by hour or day, version, band, tenth and channel, and how fast',
      description: `On the clocks of the workspace. By default the last ${spansOf.day.days} days by day; bucket=hour the last ${24 * spansOf.hour.days} hours; bucket=all all of the time as one. Predictions of batches are not among them. Requests that were refused are not kept, and so not counted.`,
      access: 'invoke_predictions',
      query: Type.Object({
        bucket: Type.Optional(Type.Union(bucketNames.map((name) => Type.Literal(name)))),
        ...filterQuery,
      }),
      problems: ['limit_exceeded'],
      answers: { 200: statisticsSchema },
    },
    async (ctx, { query }) => ({ status: 200, body: await predictionStatistics(app, ctx, query as StatisticsQuery) }),
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
      const row = await tenant(app.db, ctx, (tx) => requirePrediction(tx, id, app.retentionDays));
      return { status: 200, body: presentPrediction(row) };
    },
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/predictions/{id}/reveal',
      operation: 'predictions.reveal',
      summary: 'Record that you have the personal data of a prediction shown',
      description:
        'The dashboard masks the CPF of people until whoever reads the page wants to see it, and asks this first: the audit log has who looked, and when. Answers of the API are not masked.',
      access: 'invoke_predictions',
      params: Type.Object({ id: Type.String() }),
      problems: ['entity_erased'],
      answers: { 204: null },
    },
    async (ctx, { params: { id } }) => {
      await tenant(app.db, ctx, async (tx) => {
        await requirePrediction(tx, id, app.retentionDays);
        await record(tx, ctx, 'personal-data-reveal', { type: 'prediction', id });
      });
      return { status: 204 };
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
        model_id: modelName(),
        name: Type.String({ description: 'An alias such as production, or a version id.' }),
      }),
      query: Type.Object({
        include: Type.Optional(Type.String({ description: `Comma-separated; of: ${includable.join(', ')}.` })),
        language: Type.Optional(
          Type.String({
            enum: ['en', 'pt-BR'],
            description: 'Of the sentences of the answer, which then says it; that of the workspace by default.',
          }),
        ),
        snapshot_id: Type.Optional(
          Type.String({
            pattern: '^snp_[0-9a-f]{32}$',
            description:
              'Answer from this snapshot, as an ingestion names it, or a newer one, and wait until it is open. Without it the answer comes from the newest that is open.',
          }),
        ),
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
        'model_training',
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
            snapshot_id: Type.String(),
            as_of: Type.String({ description: asOfSaid }),
            generated_at: Type.String(),
            language: Type.Optional(
              Type.String({ enum: ['en', 'pt-BR'], description: 'Of its sentences, where it was asked for.' }),
            ),
            data_coverage: Type.String({
              enum: ['full', 'partial', 'none'],
              description:
                'Of the inputs. full: each was given, and whom they name was in the data with events. none: nothing of that. How much history there is says data_coverage_share alone, which may be small where this is full.',
            }),
            data_coverage_share: Type.Number({
              minimum: 0,
              maximum: 1,
              description:
                "Of the history: the share of the model's importance that comes by what has a value for this row.",
            }),
            unknown: Type.Optional(
              Type.Array(
                objectOf('Unknown', {
                  kind: Type.String({
                    enum: ['input', 'entity', 'value', 'history'],
                    description:
                      'input: not given. entity: what this input names is not in the data. value: no row of the data has this text. history: what it names is there, and none of its events that the model reads.',
                  }),
                  name: Type.String({ description: 'The input.' }),
                  importance: Type.Number({ minimum: 0, maximum: 1, description: "Share of the model's importance." }),
                }),
                { description: 'What the model reads and was not known, the most important first.' },
              ),
            ),
            warnings: Type.Optional(
              Type.Array(
                objectOf('PredictionWarning', {
                  code: Type.String({
                    enum: [
                      'unknown_entity',
                      'unknown_value',
                      'wrong_check_digits',
                      'outside_population',
                      'stale_data',
                      'before_learned',
                    ],
                  }),
                  input: nullable(Type.String({ description: 'The input that it is about; null of all.' })),
                  condition: Type.Optional(
                    Type.String({
                      description: 'Of outside_population: what the case does not meet, as the query writes it.',
                    }),
                  ),
                  said: Type.Optional(
                    Type.Object(
                      { en: Type.String(), 'pt-BR': Type.String() },
                      { description: 'The condition in words. Older answers lack it.' },
                    ),
                  ),
                  learned_from: Type.Optional(
                    Type.String({
                      format: 'date',
                      description: 'Of before_learned: the day of the first case that the model learned from.',
                    }),
                  ),
                  message: Type.String(),
                }),
                {
                  description:
                    'unknown_entity: what an input names is not in the data, or was not by as_of. unknown_value: no row has its text. wrong_check_digits: it is written as a CPF or CNPJ and is none, or is none though all in the data are named by one. outside_population: the case does not meet the condition on whom the question is about. stale_data: the newest data are older than they ever were silent. before_learned: as_of lies before the first case that the model learned from. Absent where there is nothing to say.',
                },
              ),
            ),
            data_age: nullable(Type.Integer({ description: 'Days from the newest event that was readable to as_of.' })),
            key_factors: Type.Optional(Type.Array(Type.String(), { description: factorsSaid })),
            risk_factors: Type.Optional(Type.Array(Type.String(), { description: factorsSaid })),
            explanation: Type.Optional(Type.Array(factorSchema)),
            explained: Type.Optional(nullable(explainedSchema)),
            interval: Type.Optional(
              Type.Record(Type.String(), objectOf('Interval', { lower: Type.Number(), upper: Type.Number() }), {
                description:
                  'By field: within which the rate of rows like this one lies (probabilities), or nine of ten later rows (numbers).',
              }),
            ),
          },
          { title: 'PredictionAnswer', additionalProperties: true, examples: [answerExample] },
        ),
      },
    },
    (ctx, { params: { model_id, name }, query: { include, language, snapshot_id }, body, ensure }) => {
      const includes = readIncludes(include);
      return predict(
        app,
        ask,
        ctx,
        {
          model: model_id,
          name,
          snapshotId: snapshot_id,
          language: language as Context['language'] | undefined,
          body,
          includes,
        },
        ensure,
      );
    },
  );

/** Reads the parts of an answer that are asked for, with commas between them. Throws Failure 'invalid_parameter'. */
function readIncludes(text: string | undefined): ReadonlySet<Part> {
  const asked = text === undefined || text === '' ? [] : text.split(',');
  const unknown = asked.find((name) => !includable.some((part) => part === name));
  if (unknown === undefined) return new Set(includable.filter((part) => asked.includes(part)));
  const message = `knows ${includable.join(', ')}, not ${unknown}`;
  throw refuse('invalid_parameter', `include ${message}`, { problems: [{ at: '/query/include', message }] });
}
