import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { pageOf, pageQuery, readPage } from '../../api/list.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { refuse } from '../../errors.ts';
import type { Exchange } from '../../lib/http/server.ts';
import type { App } from '../app.ts';
import { setVersionStatus } from './activate.ts';
import { aliasName } from './alias.ts';
import {
  aliasSchema,
  modelSchema,
  presentAlias,
  presentModel,
  presentVersion,
  versionSchema,
  versionSummarySchema,
} from './model.ts';
import { type Conditions, deleteAlias, etagOf, setAlias } from './set-alias.ts';
import { selectAliases, selectModel, selectModels, selectVersion, selectVersions } from './sql.ts';

const modelParams = Type.Object({ model_id: Type.String() });
const versionParams = Type.Object({ model_id: Type.String(), version_id: Type.String() });
const aliasParams = Type.Object({ model_id: Type.String(), alias: aliasName() });

export const modelRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/models',
      operation: 'models.list',
      summary: 'Models with their aliases, newest first',
      access: 'view_models',
      query: Type.Object(pageQuery),
      answers: { 200: pageOf(modelSchema) },
    },
    async (ctx, { query }) => {
      const page = await readPage(
        app.keys.cursors,
        [ctx.workspaceId, 'models'],
        query,
        (before, most) => tenant(app.db, ctx, (tx) => selectModels(tx, before, most)),
        (row) => row,
      );
      const ids = page.data.map(({ id }) => id);
      const aliases = await tenant(app.db, ctx, (tx) => selectAliases(tx, ids));
      return { status: 200, body: { ...page, data: page.data.map((row) => presentModel(row, aliases)) } };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/models/{model_id}',
      operation: 'models.get',
      summary: 'One model',
      access: 'view_models',
      params: modelParams,
      answers: { 200: modelSchema },
    },
    async (ctx, { params: { model_id } }) =>
      tenant(app.db, ctx, async (tx) => {
        const row = await selectModel(tx, model_id);
        if (!row) throw refuse('not_found', `there is no model ${model_id}`);
        return { status: 200, body: presentModel(row, await selectAliases(tx, [model_id])) };
      }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/models/{model_id}/versions',
      operation: 'modelVersions.list',
      summary: 'Versions of a model, newest first',
      access: 'view_models',
      params: modelParams,
      query: Type.Object(pageQuery),
      answers: { 200: pageOf(versionSummarySchema) },
    },
    async (ctx, { params: { model_id }, query }) => {
      const aliases = await tenant(app.db, ctx, async (tx) => {
        if (!(await selectModel(tx, model_id))) throw refuse('not_found', `there is no model ${model_id}`);
        return selectAliases(tx, [model_id]);
      });
      return {
        status: 200,
        body: await readPage(
          app.keys.cursors,
          [ctx.workspaceId, 'versions', model_id],
          query,
          (before, most) => tenant(app.db, ctx, (tx) => selectVersions(tx, model_id, before, most)),
          (row) => presentVersion(row, aliases),
        ),
      };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/models/{model_id}/versions/{version_id}',
      operation: 'modelVersions.get',
      summary: 'One version: its full input and output schema, and how good it is',
      access: 'view_models',
      params: versionParams,
      answers: { 200: versionSchema },
    },
    async (ctx, { params: { model_id, version_id } }) =>
      tenant(app.db, ctx, async (tx) => {
        const row = await selectVersion(tx, model_id, version_id);
        if (!row) throw refuse('not_found', `model ${model_id} has no version ${version_id}`);
        return { status: 200, body: presentVersion(row, await selectAliases(tx, [model_id])) };
      }),
  ),
  ...(['activation', 'deactivation'] as const).map((act) =>
    route(
      {
        method: 'POST',
        path: `/v1/api/models/{model_id}/versions/{version_id}/${act}`,
        operation: act === 'activation' ? 'modelVersions.activate' : 'modelVersions.deactivate',
        summary: act === 'activation' ? 'Let a version answer' : 'Let a version answer no more',
        access: 'manage_aliases',
        params: versionParams,
        problems: act === 'activation' ? ['conflict'] : ['conflict', 'version_aliased'],
        answers: { 200: versionSchema },
      },
      async (ctx, { params: { model_id, version_id } }) => ({
        status: 200,
        body: await setVersionStatus(app, ctx, {
          modelId: model_id,
          versionId: version_id,
          status: act === 'activation' ? 'active' : 'inactive',
        }),
      }),
    ),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/models/{model_id}/aliases/{alias}',
      operation: 'aliases.get',
      summary: 'Where an alias points',
      access: 'view_models',
      params: aliasParams,
      answers: { 200: aliasSchema },
    },
    async (ctx, { params: { model_id, alias } }) => {
      const row = await tenant(app.db, ctx, async (tx) =>
        (await selectAliases(tx, [model_id])).find((known) => known.alias === alias),
      );
      if (!row) throw refuse('not_found', `model ${model_id} has no alias ${alias}`);
      return { status: 200, headers: { etag: etagOf(row) }, body: presentAlias(row) };
    },
  ),
  route(
    {
      method: 'PUT',
      path: '/v1/api/models/{model_id}/aliases/{alias}',
      operation: 'aliases.set',
      summary: 'Point an alias at a version; If-Match guards against changes in between',
      access: 'manage_aliases',
      params: aliasParams,
      body: Type.Object(
        { version_id: shortText() },
        {
          title: 'AliasRequest',
          additionalProperties: false,
          examples: [{ version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e5' }],
        },
      ),
      headers: ['If-Match', 'If-None-Match'],
      problems: ['version_inactive'],
      answers: { 200: aliasSchema },
    },
    async (ctx, { params: { model_id, alias }, body: { version_id }, exchange }) => {
      const target = { modelId: model_id, alias, versionId: version_id };
      const row = await setAlias(app, ctx, { ...target, ...conditionsOf(exchange) });
      return { status: 200, headers: { etag: etagOf(row) }, body: presentAlias(row) };
    },
  ),
  route(
    {
      method: 'DELETE',
      path: '/v1/api/models/{model_id}/aliases/{alias}',
      operation: 'aliases.delete',
      summary: 'Remove an alias',
      access: 'manage_aliases',
      params: aliasParams,
      headers: ['If-Match', 'If-None-Match'],
      answers: { 204: null },
    },
    async (ctx, { params: { model_id, alias }, exchange }) => {
      await deleteAlias(app, ctx, { modelId: model_id, alias, ...conditionsOf(exchange) });
      return { status: 204 };
    },
  ),
];

function conditionsOf({ headers }: Exchange): Conditions {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  return {
    ...(typeof ifMatch === 'string' ? { ifMatch } : {}),
    ...(typeof ifNoneMatch === 'string' ? { ifNoneMatch } : {}),
  };
}
