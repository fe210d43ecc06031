import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { pageOf, pageQuery, readPage } from '../../api/list.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import type { App } from '../app.ts';
import { cutoffSchema } from '../backtests/backtest.ts';
import { modelName } from '../models/model.ts';
import { requireModel } from '../models/require.ts';
import { getShadow } from './get.ts';
import { type AskedShadow, deleteShadow, setShadow } from './set.ts';
import { listedShadowSchema, presentListed, shadowSchema } from './shadow.ts';
import { selectShadows } from './sql.ts';

const path = '/v1/api/models/{model_id}/shadows/{version_id}';
const modelParams = Type.Object({ model_id: modelName() });
const params = Type.Object({ model_id: modelName(), version_id: Type.String() });

export const shadowRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/models/{model_id}/shadows',
      operation: 'shadows.list',
      summary: 'Versions of a model in the shadow of an alias, newest first',
      access: 'view_models',
      params: modelParams,
      query: Type.Object(pageQuery),
      answers: { 200: pageOf(listedShadowSchema) },
    },
    async (ctx, { params: { model_id }, query }) => {
      const { id } = await tenant(app.db, ctx, (tx) => requireModel(tx, model_id));
      return {
        status: 200,
        body: await readPage(
          app.keys.cursors,
          [ctx.workspaceId, 'shadows', id],
          query,
          (before, most) => tenant(app.db, ctx, (tx) => selectShadows(tx, id, before, most)),
          (row) => presentListed(row, row),
        ),
      };
    },
  ),
  route(
    {
      method: 'GET',
      path,
      operation: 'shadows.get',
      summary: 'A version in the shadow of an alias, and how its answers differ',
      access: 'view_models',
      params,
      answers: { 200: shadowSchema },
    },
    async (ctx, { params: { model_id, version_id } }) => ({
      status: 200,
      body: await tenant(app.db, ctx, (tx) => getShadow(tx, model_id, version_id)),
    }),
  ),
  route(
    {
      method: 'PUT',
      path,
      operation: 'shadows.set',
      summary: 'Have a version answer what an alias is asked too, and compare',
      description:
        'From now on the version answers a share of the real-time predictions of the alias too, a second or so after them and without a place in their way: over the same data and as of the same moment. Whom a prediction is about says by a hash whether it is in the share, so that somebody is in it always or never, and a larger share has all of a smaller one. A share of 0 answers none and keeps what there is; another alias begins anew. The version need not be active. Nothing is charged for its answers.',
      access: 'manage_aliases',
      params,
      body: Type.Object(
        {
          alias: shortText('The alias whose predictions it answers too.'),
          share: Type.Number({ minimum: 0, maximum: 1 }),
          cutoff: Type.Optional(cutoffSchema),
        },
        { title: 'ShadowRequest', additionalProperties: false, examples: [{ alias: 'production', share: 1 }] },
      ),
      problems: ['invalid'],
      answers: { 200: shadowSchema },
    },
    async (ctx, { params: { model_id, version_id }, body }) => ({
      status: 200,
      body: await setShadow(app, ctx, model_id, version_id, body as AskedShadow),
    }),
  ),
  route(
    {
      method: 'DELETE',
      path,
      operation: 'shadows.delete',
      summary: 'Take a version out of the shadow, and forget its answers',
      access: 'manage_aliases',
      params,
      answers: { 204: null },
    },
    async (ctx, { params: { model_id, version_id } }) => {
      await deleteShadow(app, ctx, model_id, version_id);
      return { status: 204 };
    },
  ),
];
