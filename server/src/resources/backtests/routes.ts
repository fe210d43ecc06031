import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { countedPageOf, countedQuery, readPage } from '../../api/list.ts';
import { momentLengthMax } from '../../api/moment.ts';
import { readRoutes } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import { countRows } from '../../lib/db/page.ts';
import type { App } from '../app.ts';
import { targetSchema } from '../batches/target.ts';
import { modelName } from '../models/model.ts';
import { requireVersion } from '../models/require.ts';
import { backtestSchema, cutoffSchema, finishedStatuses, presentBacktest } from './backtest.ts';
import { type BacktestRequest, backtestDays, createBacktest } from './create.ts';
import { deleteBacktest } from './delete.ts';
import { interruptBacktest } from './interrupt.ts';
import { ofVersion, selectBacktest, selectBacktests, selectBacktestsOf } from './sql.ts';

const params = Type.Object({ id: Type.String() });
const moment = (description: string) => Type.Optional(Type.String({ maxLength: momentLengthMax, description }));

export const backtestRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v1/api/backtests',
      operation: 'backtests.create',
      summary: 'Say what a version would have answered to the predictions of a time',
      description:
        'The real-time predictions of the model, whoever of its versions answered them, are answered anew over the newest data: each as of its own moment, of which nothing later is read. Told are how the answers differ, what would have been decided otherwise at a cutoff and, where outcomes were told or the tables say by now what came true, who was right. Data of then that came in since are read too. Erased predictions are left out.',
      access: 'create_batches',
      creates: true,
      body: Type.Object(
        {
          model: targetSchema(
            'The version that answers: "<model>/<alias, version number or id>", or its parts. It need not be active.',
          ),
          compare_with: Type.Optional(
            targetSchema('A version of the same model to compare with; without it, what was answered.'),
          ),
          from: moment(
            `RFC 3339: predictions that were answered at that moment or later. ${backtestDays.usual} days before until by default, and ${backtestDays.most} at most.`,
          ),
          until: moment('RFC 3339: predictions that were answered before that moment; now by default.'),
          as_of: Type.Optional(
            Type.Literal('then', { description: 'Each prediction is answered as of its own moment.' }),
          ),
          cutoff: Type.Optional(cutoffSchema),
        },
        {
          title: 'BacktestRequest',
          additionalProperties: false,
          examples: [{ model: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5/2', cutoff: { score: 600 } }],
        },
      ),
      problems: ['limit_exceeded', 'invalid', 'not_found', 'no_data'],
      answers: { 202: backtestSchema },
    },
    (ctx, { body }) => createBacktest(app, ctx, body as BacktestRequest),
  ),
  ...readRoutes(app, {
    path: 'backtests',
    table: 'backtests',
    operation: 'backtests',
    noun: 'backtest',
    summaries: ['Backtests, newest first', 'One backtest, with its result once it has succeeded'],
    access: 'view_models',
    schema: backtestSchema,
    selectPage: selectBacktests,
    selectOne: selectBacktest,
    present: presentBacktest,
    isOver: ({ status }) => finishedStatuses.includes(status),
  }),
  route(
    {
      method: 'GET',
      path: '/v1/api/models/{model_id}/versions/{version_id}/backtests',
      operation: 'modelVersions.listBacktests',
      summary: 'Backtests of a version, newest first',
      access: 'view_models',
      params: Type.Object({
        model_id: modelName(),
        version_id: Type.String({ description: 'Id or number of a version, or an alias that points at it.' }),
      }),
      query: Type.Object(countedQuery),
      answers: { 200: countedPageOf(backtestSchema) },
    },
    async (ctx, { params: { model_id, version_id }, query }) => {
      const { id } = await tenant(app.db, ctx, (tx) => requireVersion(tx, model_id, version_id));
      return {
        status: 200,
        body: await readPage(
          app.keys.cursors,
          [ctx.workspaceId, 'version-backtests', id],
          query,
          (before, most) => tenant(app.db, ctx, (tx) => selectBacktestsOf(tx, id, before, most)),
          presentBacktest,
          (most) => tenant(app.db, ctx, (tx) => countRows(tx, ofVersion(id), most)),
        ),
      };
    },
  ),
  route(
    {
      method: 'DELETE',
      path: '/v1/api/backtests/{id}',
      operation: 'backtests.delete',
      summary: 'Delete a backtest',
      description: 'With its result. One that is under way stops.',
      access: 'cancel_batches',
      params,
      answers: { 204: null },
    },
    async (ctx, { params: { id } }) => {
      await deleteBacktest(app, ctx, id);
      return { status: 204 };
    },
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/backtests/{id}/interrupt',
      operation: 'backtests.interrupt',
      summary: 'Stop a backtest',
      access: 'cancel_batches',
      params,
      problems: ['already_finished'],
      answers: { 200: backtestSchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await interruptBacktest(app, ctx, id) }),
  ),
];
