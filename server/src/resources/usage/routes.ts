import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Context } from '../../access/context.ts';
import type { Scope, ScopeKind } from '../../access/scope.ts';
import { tenant } from '../../access/transactions.ts';
import { pageOf, pageQuery, readPage } from '../../api/list.ts';
import { type Route, route } from '../../api/route.ts';
import { whileAllowed } from '../../api/while-allowed.ts';
import type { App } from '../app.ts';
import { meterNames, meters } from '../meters/meter.ts';
import { type Days, momentsOf, readDays } from './days.ts';
import { type Grouping, groupings, type RecordFilters, selectRecords, selectSums, selectZones } from './sql.ts';
import { presentRecord, presentSum, recordSchema, usageSchema } from './usage.ts';
import { recordsExample, writeRecords } from './write-records.ts';

type Place = {
  readonly scope: Exclude<ScopeKind, 'user'>;
  /** What the paths begin with. */
  readonly path: string;
  readonly usage: string;
  readonly records: string;
  readonly words: string;
  readonly clocks: string;
};

const places: readonly Place[] = [
  {
    ...{ scope: 'workspace', path: '/v1/api', usage: 'usage', records: 'usageRecords', words: 'of the workspace' },
    clocks: 'the clocks of the workspace',
  },
  {
    ...{ scope: 'organization', path: '/v1/api/organization', usage: 'organizationUsage' },
    ...{ records: 'organizationUsageRecords', words: 'of all workspaces of the organization' },
    clocks: 'the clocks of each workspace; of the log, in UTC',
  },
];

const days = (clocks: string) => ({
  from: Type.Optional(Type.String({ maxLength: 10, description: `The first day, on ${clocks}: 2026-01-01.` })),
  to: Type.Optional(Type.String({ maxLength: 10, description: 'The last day, which is included.' })),
});
const filters = {
  meter: Type.Optional(Type.Union(meterNames.map((name) => Type.Literal(name)))),
  model_id: Type.Optional(Type.String()),
  version_id: Type.Optional(Type.String()),
  actor_id: Type.Optional(Type.String({ description: 'Such as the id of a key.' })),
  channel: Type.Optional(Type.String()),
};
type Filters = Partial<Days> & Partial<Record<keyof typeof filters, string>>;

export const usageRoutes = (app: App): Route[] => places.flatMap((place) => routesIn(app, place));

const routesIn = (app: App, { scope, path, usage, records, words, clocks }: Place): Route[] => [
  route(
    {
      method: 'GET',
      path: `${path}/usage`,
      operation: `${usage}.list`,
      summary: `What was used ${words}: sums by day, month, model or version`,
      description: `Meters: ${meterNames.map((name) => `${name} (${meters[name].unit})`).join(', ')}. What was used is counted within seconds; from the first of the month to today by default.`,
      ...{ access: 'view_usage', scope },
      query: Type.Object({
        ...pageQuery,
        ...days(clocks),
        group_by: Type.Optional(Type.Union(groupings.map((name) => Type.Literal(name)))),
      }),
      answers: { 200: pageOf(usageSchema) },
    },
    async (ctx, { query: { from, to, group_by = 'day', ...page } }) => {
      const asked = {
        ...readDays(optional({ from, to }), await clocksOf(app, ctx), Date.now()),
        by: group_by as Grouping,
      };
      return {
        status: 200,
        body: await readPage(
          app.keys.cursors,
          [ctx.workspaceId ?? ctx.organizationId, 'usage', asked.from, asked.to, asked.by],
          page,
          (after, most) => tenant(app.db, ctx, (tx) => selectSums(tx, ctx, asked, after, most)),
          presentSum,
        ),
      };
    },
  ),
  route(
    {
      method: 'GET',
      path: `${path}/usage-records`,
      operation: `${records}.list`,
      summary: `The log of what was used ${words}, newest first`,
      description: 'Each record is an entry of the audit trail. Storage is sampled once a day, and has none.',
      ...{ access: 'view_usage_logs', scope },
      query: Type.Object({ ...pageQuery, ...days(clocks), ...filters }),
      answers: { 200: pageOf(recordSchema) },
    },
    async (ctx, { query: { limit, cursor, ...asked } }) => {
      const wanted = filtersOf(ctx, asked as Filters);
      return {
        status: 200,
        body: await readPage(
          app.keys.cursors,
          [ctx.workspaceId ?? ctx.organizationId, 'usage-records', JSON.stringify(wanted)],
          optional({ limit, cursor }),
          (last, most) => tenant(app.db, ctx, (tx) => selectRecords(tx, ctx, wanted, last, most)),
          presentRecord,
        ),
      };
    },
  ),
  route(
    {
      method: 'GET',
      path: `${path}/usage-records/export`,
      operation: `${records}.export`,
      summary: `The log of what was used ${words}, as CSV`,
      description: 'A text that a spreadsheet would run as a formula gets an apostrophe before it.',
      ...{ access: 'view_usage_logs', scope },
      query: Type.Object({ ...days(clocks), ...filters }),
      produces: 'text/csv',
      example: recordsExample,
      answers: { 200: null },
    },
    async (ctx, { query, ensure }) => {
      const wanted = filtersOf(ctx, query as Filters);
      return {
        status: 200,
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': 'attachment; filename="usage-records.csv"',
          'cache-control': 'private, no-store',
        },
        body: whileAllowed(Readable.from(writeRecords(app, ctx, wanted), { objectMode: false }), ensure),
      };
    },
  ),
];

/** The zone of a workspace, or those of all of an organization. */
async function clocksOf(app: App, ctx: Context<Scope>): Promise<readonly string[]> {
  if (ctx.workspaceId !== null) return [ctx.timeZone];
  const zones = await tenant(app.db, ctx, selectZones);
  return zones.length > 0 ? zones : ['UTC'];
}

/** An organization has no clocks of its own. */
function zoneOf(ctx: Context<Scope>): string {
  return ctx.workspaceId === null ? 'UTC' : ctx.timeZone;
}

function filtersOf(ctx: Context<Scope>, { from, to, ...equal }: Filters): RecordFilters {
  const { meter, model_id, version_id, actor_id, channel } = equal;
  return { ...momentsOf(optional({ from, to }), zoneOf(ctx)), meter, model_id, version_id, actor_id, channel };
}

/** An object without its fields that are undefined. */
function optional<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
