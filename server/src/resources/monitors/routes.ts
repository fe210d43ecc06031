import { Type } from 'typebox';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { pageOf, pageQuery, readPage } from '../../api/list.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import type { App } from '../app.ts';
import { modelName } from '../models/model.ts';
import { requireModel, requireVersion } from '../models/require.ts';
import { alarmSchema, presentAlarm } from './alarms/alarm.ts';
import { selectAlarms } from './alarms/sql.ts';
import { monitorExample } from './example.ts';
import { monitoringSchema, monitorProperties, monitorSchema } from './monitor.ts';
import { readMonitoring } from './read.ts';
import { getMonitor, setMonitor } from './set.ts';

const params = Type.Object({ model_id: modelName() });
const day = (description: string) => Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description }));
const { model_id: _, ...settingsExample } = monitorExample;

export const monitorRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/models/{model_id}/monitoring',
      operation: 'models.getMonitoring',
      summary: 'How what a version is asked and answers differs from what it was, and what came of it',
      description:
        'Its answers are counted and judged within the hour, in windows of whole weeks against its first four. Of what came of them, only predictions count whose windows have closed.',
      access: 'view_models',
      params,
      query: Type.Object({
        version: Type.Optional(
          shortText('Id or number of a version, or an alias that points at it; by default production, or the newest.'),
        ),
        from: day('The first day of the series; by default 90 days before until.'),
        until: day('The last day of the series; by default today.'),
      }),
      answers: { 200: monitoringSchema },
    },
    async (ctx: Context, { params: { model_id }, query }) => ({
      status: 200,
      body: await readMonitoring(app, ctx, model_id, query),
    }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/models/{model_id}/alarms',
      operation: 'models.listAlarms',
      summary: 'Alarms of a model, newest first',
      access: 'view_models',
      params,
      query: Type.Object({
        ...pageQuery,
        version: Type.Optional(
          shortText('Id or number of a version, or an alias that points at it; by default those of all.'),
        ),
      }),
      answers: { 200: pageOf(alarmSchema) },
    },
    async (ctx, { params: { model_id }, query }) => {
      const { version } = query;
      const of = await tenant(app.db, ctx, async (tx) => {
        const { id } = await requireModel(tx, model_id);
        const { id: versionId } = version === undefined ? {} : await requireVersion(tx, id, version);
        return { model_id: id, version_id: versionId };
      });
      return {
        status: 200,
        body: await readPage(
          app.keys.cursors,
          [ctx.workspaceId, 'alarms', of.model_id, ...(of.version_id === undefined ? [] : [of.version_id])],
          query,
          (before, most) => tenant(app.db, ctx, (tx) => selectAlarms(tx, of, before, most)),
          presentAlarm,
        ),
      };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/models/{model_id}/monitor',
      operation: 'monitors.get',
      summary: 'How a model is watched',
      access: 'view_models',
      params,
      answers: { 200: monitorSchema },
    },
    async (ctx, { params: { model_id } }) => answerOf(await getMonitor(app, ctx, model_id)),
  ),
  route(
    {
      method: 'PUT',
      path: '/v1/api/models/{model_id}/monitor',
      operation: 'monitors.set',
      summary: 'Say how a model is watched; If-Match guards against changes in between',
      description: 'What is left out is as by default.',
      access: 'manage_aliases',
      params,
      body: Type.Object(
        Object.fromEntries(
          Object.entries(monitorProperties).map(([name, schema]) => [name, Type.Optional(schema)]),
        ) as {
          [name in keyof typeof monitorProperties]: ReturnType<typeof Type.Optional<(typeof monitorProperties)[name]>>;
        },
        { title: 'MonitorRequest', additionalProperties: false, examples: [settingsExample] },
      ),
      headers: ['If-Match'],
      problems: ['schema_mismatch'],
      answers: { 200: monitorSchema },
    },
    async (ctx, { params: { model_id }, body, exchange }) => {
      const ifMatch = exchange.headers['if-match'];
      return answerOf(await setMonitor(app, ctx, model_id, body, typeof ifMatch === 'string' ? ifMatch : undefined));
    },
  ),
];

function answerOf({ modelId, monitor, etag }: Awaited<ReturnType<typeof getMonitor>>) {
  return { status: 200, headers: { etag }, body: { model_id: modelId, ...monitor } };
}
