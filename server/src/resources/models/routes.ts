import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { countedPageOf, countedQuery, pageOf, pageQuery, readPage } from '../../api/list.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { refuse } from '../../errors.ts';
import { countRows } from '../../lib/db/page.ts';
import type { Exchange } from '../../lib/http/server.ts';
import type { App } from '../app.ts';
import { languageText } from '../workspaces/workspace.ts';
import { setVersionStatus } from './activate.ts';
import { aliasName } from './alias.ts';
import { deleteModel } from './delete.ts';
import { approvalSchema, approvalsSchema, approveVersion, listApprovals } from './gates/approvals.ts';
import { gatesRequest, gatesSchema, getGates, setGates } from './gates/gates.ts';
import { labelledFile, labelledFileSchema } from './labelled-file.ts';
import { listFeatures } from './list-features.ts';
import { metricsSchema, versionMetrics } from './metrics.ts';
import {
  aliasSchema,
  featureSchema,
  gatesOverride,
  modelName,
  modelSchema,
  presentAlias,
  presentModel,
  presentSplitOf,
  presentVersion,
  reasonMax,
  setAliasSchema,
  versionSchema,
  versionSummarySchema,
} from './model.ts';
import { requireModel, requireVersion } from './require.ts';
import { type Conditions, deleteAlias, etagOf, setAlias } from './set-alias.ts';
import { selectAliases, selectModels, selectVersions, withOrigins } from './sql.ts';

const model_id = modelName();
const modelParams = Type.Object({ model_id });
const versionParams = Type.Object({ model_id, version_id: Type.String() });
const readVersionParams = Type.Object({
  model_id,
  version_id: Type.String({ description: 'Id or number of a version, or an alias that points at it.' }),
});
const aliasParams = Type.Object({ model_id, alias: aliasName() });

export const modelRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/models',
      operation: 'models.list',
      summary: 'Models with their aliases, newest first',
      access: 'view_models',
      query: Type.Object(countedQuery),
      answers: { 200: countedPageOf(modelSchema) },
    },
    async (ctx, { query }) => {
      const page = await readPage(
        app.keys.cursors,
        [ctx.workspaceId, 'models'],
        query,
        (before, most) => tenant(app.db, ctx, (tx) => selectModels(tx, before, most)),
        (row) => row,
        (most) => tenant(app.db, ctx, (tx) => countRows(tx, { table: 'models' }, most)),
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
        const row = await requireModel(tx, model_id);
        return { status: 200, body: presentModel(row, await selectAliases(tx, [row.id])) };
      }),
  ),
  route(
    {
      method: 'DELETE',
      path: '/v1/api/models/{model_id}',
      operation: 'models.delete',
      summary: 'Delete a model with its versions, which no alias points at and no work under way needs',
      description:
        'Its training runs, evaluations, predictions and results of batches are kept. Its name is free again.',
      access: 'manage_aliases',
      params: modelParams,
      problems: ['in_use'],
      answers: { 204: null },
    },
    async (ctx, { params: { model_id } }) => {
      await deleteModel(app, ctx, model_id);
      return { status: 204 };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/models/{model_id}/versions',
      operation: 'modelVersions.list',
      summary: 'Versions of a model, newest first',
      access: 'view_models',
      params: modelParams,
      query: Type.Object(countedQuery),
      answers: { 200: countedPageOf(versionSummarySchema) },
    },
    async (ctx, { params: { model_id }, query }) => {
      const { id, aliases } = await tenant(app.db, ctx, async (tx) => {
        const { id } = await requireModel(tx, model_id);
        return { id, aliases: await selectAliases(tx, [id]) };
      });
      return {
        status: 200,
        body: await readPage(
          app.keys.cursors,
          [ctx.workspaceId, 'versions', id],
          query,
          (before, most) =>
            tenant(app.db, ctx, async (tx) => {
              const page = await selectVersions(tx, id, before, most);
              return { ...page, rows: await withOrigins(tx, page.rows) };
            }),
          (row) => presentVersion(row, aliases),
          (most) =>
            tenant(app.db, ctx, (tx) => countRows(tx, { table: 'model_versions', filters: { model_id: id } }, most)),
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
      params: readVersionParams,
      answers: { 200: versionSchema },
    },
    async (ctx, { params: { model_id, version_id } }) =>
      tenant(app.db, ctx, async (tx) => {
        const row = await requireVersion(tx, model_id, version_id);
        const [told] = await withOrigins(tx, [row]);
        return { status: 200, body: presentVersion(told, await selectAliases(tx, [row.model_id])) };
      }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/models/{model_id}/versions/{version_id}/features',
      operation: 'modelVersions.listFeatures',
      summary: 'What a version reads, most important first',
      access: 'view_models',
      params: readVersionParams,
      query: Type.Object({
        ...pageQuery,
        language: Type.Optional(
          Type.Union(languageText.anyOf, { description: 'Of descriptions; that of the workspace by default.' }),
        ),
      }),
      problems: ['object_damaged'],
      answers: { 200: pageOf(featureSchema) },
    },
    async (ctx, { params: { model_id, version_id }, query }) => ({
      status: 200,
      body: await listFeatures(app, ctx, model_id, version_id, query),
    }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/models/{model_id}/versions/{version_id}/metrics',
      operation: 'modelVersions.getMetrics',
      summary: 'How good a version is, with its curves',
      description:
        'Of each output, on rows later than what the scoring models had learned from: the metric by folds and beside naive answers, calibration, reliability, a histogram, thresholds, gains.',
      access: 'view_models',
      params: readVersionParams,
      problems: ['object_damaged'],
      answers: { 200: metricsSchema },
    },
    async (ctx, { params: { model_id, version_id } }) => ({
      status: 200,
      body: await versionMetrics(app, ctx, model_id, version_id),
    }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/models/{model_id}/versions/{version_id}/labelled-file',
      operation: 'modelVersions.getLabelledFile',
      summary: 'The columns of a labelled file, by which a version can be evaluated',
      access: 'view_models',
      params: readVersionParams,
      problems: ['object_damaged'],
      answers: { 200: labelledFileSchema },
    },
    async (ctx, { params: { model_id, version_id } }) => ({
      status: 200,
      body: await labelledFile(app, ctx, model_id, version_id),
    }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/models/{model_id}/gates',
      operation: 'modelGates.get',
      summary: 'What a version must have passed before an alias is moved to it',
      access: 'view_models',
      params: modelParams,
      answers: { 200: gatesSchema },
    },
    async (ctx, { params: { model_id } }) => ({ status: 200, body: await getGates(app, ctx, model_id) }),
  ),
  route(
    {
      method: 'PUT',
      path: '/v1/api/models/{model_id}/gates',
      operation: 'modelGates.set',
      summary: 'Set the gates of a model; what is not named is as by default',
      description:
        'Creators alone loosen them: fewer approvals, a check that is required no more, or must be told no more, a threshold that more versions pass, aliases that move by themselves.',
      access: 'manage_aliases',
      params: modelParams,
      body: gatesRequest,
      problems: ['invalid'],
      answers: { 200: gatesSchema },
    },
    async (ctx, { params: { model_id }, body }) => ({
      status: 200,
      body: await setGates(app, ctx, model_id, body as Parameters<typeof setGates>[3]),
    }),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/models/{model_id}/versions/{version_id}/approvals',
      operation: 'modelApprovals.create',
      summary: 'Approve a version for an alias, as another person than who trained it',
      description: 'Whoever approves does not count as another person when they move the alias.',
      access: 'manage_aliases',
      creates: true,
      params: readVersionParams,
      body: Type.Object(
        { alias: aliasName(), comment: Type.Optional(Type.String({ maxLength: reasonMax })) },
        {
          title: 'VersionApprovalRequest',
          additionalProperties: false,
          examples: [{ alias: 'production', comment: 'Bands look right by region.' }],
        },
      ),
      problems: ['forbidden', 'conflict'],
      answers: { 201: approvalSchema },
    },
    (ctx, { params: { model_id, version_id }, body }) => approveVersion(app, ctx, model_id, version_id, body),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/models/{model_id}/versions/{version_id}/approvals',
      operation: 'modelApprovals.list',
      summary: 'Approvals of a version, newest first',
      access: 'view_models',
      params: readVersionParams,
      answers: { 200: approvalsSchema },
    },
    async (ctx, { params: { model_id, version_id } }) => ({
      status: 200,
      body: await listApprovals(app, ctx, model_id, version_id),
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
          model: model_id,
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
      const row = await tenant(app.db, ctx, async (tx) => {
        const { id } = await requireModel(tx, model_id);
        return (await selectAliases(tx, [id])).find((known) => known.alias === alias);
      });
      if (!row) throw refuse('not_found', `model ${model_id} has no alias ${alias}`);
      return { status: 200, headers: { etag: etagOf(row) }, body: { ...presentAlias(row), ...presentSplitOf(row) } };
    },
  ),
  route(
    {
      method: 'PUT',
      path: '/v1/api/models/{model_id}/aliases/{alias}',
      operation: 'aliases.set',
      summary: 'Point an alias at a version; If-Match guards against changes in between',
      description:
        'The version must pass the gates of its model, beside the version that the alias points at; going back to one that has held the alias may without, unless the alias was moved back from it because it failed. input_changes of the answer says by which inputs callers of the version before would be refused now.',
      access: 'manage_aliases',
      params: aliasParams,
      body: Type.Object(
        {
          version_id: shortText(),
          override: Type.Optional(gatesOverride),
        },
        {
          title: 'AliasRequest',
          additionalProperties: false,
          examples: [{ version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e5' }],
        },
      ),
      headers: ['If-Match', 'If-None-Match'],
      problems: ['version_inactive', 'gates_failed'],
      answers: { 200: setAliasSchema },
    },
    async (ctx, { params: { model_id, alias }, body: { version_id, override }, exchange }) => {
      const target = { model: model_id, alias, versionId: version_id, ...(override && { override }) };
      const { row, changes } = await setAlias(app, ctx, { ...target, ...conditionsOf(exchange) });
      return {
        status: 200,
        headers: { etag: etagOf(row) },
        body: { ...presentAlias(row), input_changes: changes },
      };
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
      await deleteAlias(app, ctx, { model: model_id, alias, ...conditionsOf(exchange) });
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
