import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { countedPageOf, countedQuery, readPage } from '../../api/list.ts';
import { momentLengthMax } from '../../api/moment.ts';
import { answerOf } from '../../api/named.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { refuse } from '../../errors.ts';
import type { App } from '../app.ts';
import { modelName } from '../models/model.ts';
import { modelIdOf } from '../models/require.ts';
import { outcomeExample } from './example.ts';
import { outcomeSchema, outcomeSources, presentOutcome } from './outcome.ts';
import { outcomesMax, recordOutcomes } from './record.ts';
import { countOutcomes, lookedAtMax, type OutcomeFilters, selectOutcome, selectOutcomes } from './sql.ts';

/** Most characters of a key, and of the name of a class. */
const textLengthMax = 1_000;

const given = Type.Object(
  {
    prediction_id: Type.Optional(shortText('Of the answer. Or, without it, entity and as_of, with model or task.')),
    model: Type.Optional(shortText('Id or name of the model that was asked.')),
    task: Type.Optional(shortText('Id or name of a task: predictions of all models that answer it.')),
    entity: Type.Optional(
      Type.Object(
        { table: Type.Optional(shortText()), key: Type.String({ minLength: 1, maxLength: textLengthMax }) },
        {
          title: 'OutcomeEntity',
          additionalProperties: false,
          description: 'Whom the prediction was about, or the new row that it was about, by the key that it was given.',
        },
      ),
    ),
    as_of: Type.Optional(
      Type.String({
        maxLength: momentLengthMax,
        description:
          'The day, in the zone of the workspace, or the moment that the prediction is as of. It is the outcome of all predictions about the entity as of then.',
      }),
    ),
    output: Type.Optional(
      shortText('The field of the answer that it is of; by default the deciding one: of horizons the longest.'),
    ),
    value: Type.Union([Type.Number(), Type.Boolean(), Type.String({ maxLength: textLengthMax })], {
      description: '0 or 1 of a probability, a number, or the name of a class.',
    }),
    observed_at: Type.String({
      maxLength: momentLengthMax,
      description: 'When it was known: RFC 3339. Not before as_of.',
    }),
  },
  { title: 'GivenOutcome', additionalProperties: false },
);

const recordedExample = { created: 0, corrected: 1, unchanged: 0, data: [outcomeExample] };

const filterQuery = {
  prediction_id: Type.Optional(shortText()),
  model_id: Type.Optional(modelName()),
  version_id: Type.Optional(shortText()),
  output: Type.Optional(shortText()),
  source: Type.Optional(Type.String({ enum: [...outcomeSources] })),
};
const filterNames = Object.keys(filterQuery) as (keyof typeof filterQuery)[];

export const outcomeRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v1/api/outcomes',
      operation: 'outcomes.send',
      summary: 'Say what came of predictions',
      description: `At most ${outcomesMax} at once, all of them or none. What is sent again changes nothing; another value or moment of the same prediction and output corrects it, and what it was is kept. An outcome counts once its window had closed when it was observed; or before, if it cannot change any more, as what has happened cannot.`,
      access: 'invoke_predictions',
      body: Type.Object(
        { outcomes: Type.Array(given, { minItems: 1, maxItems: outcomesMax }) },
        {
          title: 'OutcomesRequest',
          additionalProperties: false,
          examples: [
            {
              outcomes: [
                { prediction_id: outcomeExample.prediction_id, value: 1, observed_at: outcomeExample.observed_at },
                {
                  model: 'returns',
                  entity: { key: '11222333000181' },
                  as_of: '2026-01-31',
                  value: 0,
                  observed_at: '2026-05-04T12:00:00Z',
                },
              ],
            },
          ],
        },
      ),
      problems: ['not_found', 'entity_erased', 'invalid', 'object_damaged'],
      answers: {
        200: answerOf('RecordedOutcomes', recordedExample, {
          created: Type.Integer(),
          corrected: Type.Integer(),
          unchanged: Type.Integer(),
          data: Type.Array(outcomeSchema),
        }),
      },
    },
    async (ctx, { body: { outcomes } }) => ({ status: 200, body: await recordOutcomes(app, ctx, outcomes) }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/outcomes',
      operation: 'outcomes.list',
      summary: 'Outcomes of predictions, newest first',
      description: `A page, and total, look at ${lookedAtMax} outcomes for those that fit, unless they are of one prediction.`,
      access: 'invoke_predictions',
      query: Type.Object({ ...countedQuery, ...filterQuery }),
      answers: { 200: countedPageOf(outcomeSchema) },
    },
    async (ctx, { query }) => {
      const filters = await tenant(app.db, ctx, async (tx): Promise<OutcomeFilters> => {
        const { prediction_id, model_id, version_id, output, source } = query;
        return { prediction_id, version_id, output, source, model_id: model_id && (await modelIdOf(tx, model_id)) };
      });
      return {
        status: 200,
        body: await readPage(
          app.keys.cursors,
          [ctx.workspaceId, 'outcomes', ...filterNames.map((name) => filters[name] ?? '')],
          query,
          (before, most) => tenant(app.db, ctx, (tx) => selectOutcomes(tx, filters, before, most)),
          presentOutcome,
          (most) => tenant(app.db, ctx, (tx) => countOutcomes(tx, filters, most)),
        ),
      };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/outcomes/{id}',
      operation: 'outcomes.get',
      summary: 'One outcome, with what it was before',
      access: 'invoke_predictions',
      params: Type.Object({ id: Type.String() }),
      answers: { 200: outcomeSchema },
    },
    async (ctx, { params: { id } }) => {
      const row = await tenant(app.db, ctx, (tx) => selectOutcome(tx, id));
      if (!row) throw refuse('not_found', `there is no outcome ${id}`);
      return { status: 200, body: presentOutcome(row) };
    },
  ),
];
