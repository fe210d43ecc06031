import { Type } from 'typebox';
import { momentLengthMax } from '../../api/moment.ts';
import { readRoutes } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { openAsk } from '../../serving/ask.ts';
import type { App } from '../app.ts';
import { createReplay, type ReplayRequest } from './create.ts';
import { interruptReplay } from './interrupt.ts';
import { finishedStatuses, idsMax, predictionReplaySchema, presentReplay, replaySchema } from './replay.ts';
import { replayPrediction } from './replay-prediction.ts';
import { selectReplay, selectReplays } from './sql.ts';

const params = Type.Object({ id: Type.String() });
const moment = (description: string) => Type.Optional(Type.String({ maxLength: momentLengthMax, description }));

export const replayRoutes = (app: App, ask = openAsk()): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v1/api/predictions/{id}/replay',
      operation: 'predictions.replay',
      summary: 'Answer a prediction of the log again, to the byte',
      description:
        'By the version that answered, over the snapshot that it read, as of the same moment, with the same inputs, zone and language: whatever has become of data, contracts, aliases and settings since. Where one of these is gone, 410 says which. The log stays as it is, and no quota is used.',
      access: 'invoke_predictions',
      params,
      problems: ['entity_erased', 'pin_gone', 'budget_exceeded', 'rate_limited', 'object_damaged'],
      answers: { 200: predictionReplaySchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await replayPrediction(app, ask, ctx, id) }),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/replays',
      operation: 'replays.create',
      summary: 'Answer many predictions, or all rows of a batch, again to the byte',
      description:
        'Predictions of the log by a span, a model or a version, by their ids, or as a sample spread over versions and snapshots; or a batch, whose rows are scored again and held against its result. The log and the result stay as they are, and no quota is used.',
      access: 'invoke_predictions',
      creates: true,
      body: Type.Object(
        {
          predictions: Type.Optional(
            Type.Object(
              {
                ids: Type.Optional(Type.Array(shortText(), { minItems: 1, maxItems: idsMax })),
                sample: Type.Optional(
                  Type.Integer({
                    minimum: 1,
                    maximum: idsMax,
                    description: 'So many of the newest, spread over versions and snapshots.',
                  }),
                ),
                from: moment('RFC 3339: those answered at that moment or later; from the first one by default.'),
                to: moment('RFC 3339: those answered before that moment; all until now by default.'),
                model: Type.Optional(shortText('Id or name of a model.')),
                version_id: Type.Optional(shortText()),
              },
              { title: 'ReplayedPredictions', additionalProperties: false },
            ),
          ),
          batch: Type.Optional(shortText('Id of a batch with a result.')),
        },
        {
          title: 'ReplayRequest',
          additionalProperties: false,
          examples: [{ predictions: { from: '2026-01-01T00:00:00-03:00', to: '2026-02-01T00:00:00-03:00' } }],
        },
      ),
      problems: [
        'limit_exceeded',
        'invalid',
        'not_found',
        'batch_not_finished',
        'batch_without_result',
        'result_deleted',
      ],
      answers: { 202: replaySchema },
    },
    (ctx, { body }) => createReplay(app, ctx, body as ReplayRequest),
  ),
  ...readRoutes(app, {
    path: 'replays',
    table: 'replays',
    operation: 'replays',
    noun: 'replay',
    summaries: ['Replays, newest first', 'One replay, with what it has found so far'],
    access: 'invoke_predictions',
    schema: replaySchema,
    selectPage: selectReplays,
    selectOne: selectReplay,
    present: presentReplay,
    isOver: ({ status }) => finishedStatuses.includes(status),
  }),
  route(
    {
      method: 'POST',
      path: '/v1/api/replays/{id}/interrupt',
      operation: 'replays.interrupt',
      summary: 'Stop a replay',
      access: 'invoke_predictions',
      params,
      problems: ['already_finished'],
      answers: { 200: replaySchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await interruptReplay(app, ctx, id) }),
  ),
];
