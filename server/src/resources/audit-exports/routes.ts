import { Type } from 'typebox';
import type { Context } from '../../access/context.ts';
import type { Scope } from '../../access/scope.ts';
import { tenant } from '../../access/transactions.ts';
import { momentLengthMax, readMoment } from '../../api/moment.ts';
import { listRoute } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import { type ExportFormat, exportFormats } from '../../trail/exported.ts';
import type { App } from '../app.ts';
import { createExport } from './create.ts';
import { downloadExport } from './download.ts';
import { exportSchema, keptDays, presentExport } from './export.ts';
import { requireExport } from './require.ts';
import { selectExports } from './sql.ts';

const params = Type.Object({ id: Type.String() });
const moment = (description: string) => Type.Optional(Type.String({ maxLength: momentLengthMax, description }));
const body = Type.Object(
  {
    format: Type.Optional(
      Type.String({
        enum: [...exportFormats],
        description: 'ndjson, the default, or csv, in which no text is a formula.',
      }),
    ),
    from: moment('RFC 3339: from the last checkpoint at that moment or before it; by default from the first entry.'),
    to: moment('RFC 3339: to the first checkpoint at that moment or after it; by default to the newest.'),
  },
  {
    title: 'AuditExportRequest',
    additionalProperties: false,
    examples: [{ format: 'csv', from: '2026-03-01T00:00:00Z' }],
  },
);

export const auditExportRoutes = (app: App): Route[] => [
  ...routesIn(app, 'workspace', '/v1/api/audit-exports', 'auditExports'),
  ...routesIn(app, 'organization', '/v1/api/organization/audit-exports', 'organizationAuditExports'),
];

function routesIn(app: App, scope: 'workspace' | 'organization', path: string, operation: string): Route[] {
  const readable = { access: 'view_activity_logs', scope } as const;
  const download = (part: 'entries' | 'manifest', name: string, summary: string) =>
    route(
      {
        method: 'GET',
        path: `${path}/{id}/${part}`,
        operation: `${operation}.${name}`,
        summary,
        description: 'Each request is recorded.',
        ...readable,
        params,
        problems: ['conflict', 'object_damaged'],
        answers: { 200: null, 206: null, 304: null },
        produces: 'application/octet-stream',
        headers: ['Range', 'If-Range', 'If-None-Match'],
      },
      (ctx: Context<Scope>, { params: { id }, ...call }) => downloadExport(app, ctx, { id, part }, call),
    );
  return [
    route(
      {
        method: 'POST',
        path,
        operation: `${operation}.create`,
        summary: `Export the audit entries of the ${scope}, to keep and to verify`,
        description: `All entries that were sealed between two checkpoints, with what it takes to verify them: see docs/audit.md. Its files are kept for ${keptDays} days.`,
        ...readable,
        creates: true,
        archived: 'admitted',
        body,
        answers: { 202: exportSchema },
      },
      async (ctx: Context<Scope>, { body: { format = 'ndjson', from, to } }) =>
        createExport(app, ctx, {
          format: format as ExportFormat,
          from: from === undefined ? null : readMoment('from', from, 'body'),
          to: to === undefined ? null : readMoment('to', to, 'body'),
        }),
    ),
    listRoute(app, {
      ...{ path, list: 'audit-exports', operation: `${operation}.list` },
      summary: `Exports of the ${scope}'s audit entries, newest first`,
      ...{ ...readable, schema: exportSchema, present: presentExport },
      selectPage: (tx, ctx: Context<Scope>, before, most) => selectExports(tx, ctx, before, most),
    }),
    route(
      {
        method: 'GET',
        path: `${path}/{id}`,
        operation: `${operation}.get`,
        summary: `One export of the ${scope}'s audit entries`,
        ...readable,
        params,
        answers: { 200: exportSchema },
      },
      async (ctx: Context<Scope>, { params: { id } }) => ({
        status: 200,
        body: presentExport(await tenant(app.db, ctx, (tx) => requireExport(tx, ctx, id))),
      }),
    ),
    download('entries', 'downloadEntries', `The entries of an export`),
    download('manifest', 'downloadManifest', `What it takes to verify an export`),
  ];
}
