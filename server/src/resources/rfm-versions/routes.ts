import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { countedPageOf, countedQuery, readPage } from '../../api/list.ts';
import { openPlaces } from '../../api/places.ts';
import { type Route, route } from '../../api/route.ts';
import { refuse } from '../../errors.ts';
import { countRows } from '../../lib/db/page.ts';
import { openTurns } from '../../lib/turns.ts';
import type { App } from '../app.ts';
import { exportRfmVersion } from './export.ts';
import { requireRfmVersion } from './require.ts';
import { presentRfmVersion, rfmVersionSchema } from './rfm-version.ts';
import { selectRfmVersions } from './sql.ts';

/** Limited because each export uses a thread and copies its files to the local disk. */
export const exportsAtOnceMax = 2;
export const exportWaitMs = 30_000;
/** From the request until the archive is sent: its files are on the local disk as long as it is being read. */
export const exportsOpenMax = { perKey: 2, perWorkspace: 2 };

export const rfmVersionRoutes = (
  app: App,
  inTurn = openTurns('exports', exportsAtOnceMax, exportWaitMs),
  places = openPlaces('exports', exportsOpenMax),
): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/rfm-versions',
      operation: 'rfmVersions.list',
      summary: "Versions of the workspace's relational model, newest first",
      access: 'view_models',
      query: Type.Object({ ...countedQuery, entity: Type.Optional(Type.String()) }),
      answers: { 200: countedPageOf(rfmVersionSchema) },
    },
    async (ctx, { query: { entity, ...page } }) => ({
      status: 200,
      body: await readPage(
        app.keys.cursors,
        [ctx.workspaceId, 'rfm-versions', entity],
        page,
        (before, most) => tenant(app.db, ctx, (tx) => selectRfmVersions(tx, entity, before, most)),
        presentRfmVersion,
        (most) => tenant(app.db, ctx, (tx) => countRows(tx, { table: 'rfm_versions', filters: { entity } }, most)),
      ),
    }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/rfm-versions/{id}',
      operation: 'rfmVersions.get',
      summary: 'One version with its report',
      access: 'view_models',
      params: Type.Object({ id: Type.String() }),
      answers: { 200: rfmVersionSchema },
    },
    async (ctx, { params: { id } }) => ({
      status: 200,
      body: presentRfmVersion(await tenant(app.db, ctx, (tx) => requireRfmVersion(tx, id))),
    }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/rfm-versions/{id}/export',
      operation: 'rfmVersions.export',
      summary: 'One version, and the models that answer now, to run where your tables are',
      description:
        'A ZIP archive of one folder. lastro rfm serve <folder> --data <tables> embeds and scores with it, without any network; its README.md says more.',
      access: 'download_files',
      params: Type.Object({ id: Type.String() }),
      problems: ['no_data', 'object_damaged'],
      answers: { 200: null },
      produces: 'application/zip',
    },
    async (ctx, { params: { id }, ...call }) => {
      const hungUp = new AbortController();
      call.exchange.onClose(places.take(ctx));
      call.exchange.onClose(() => hungUp.abort(refuse('unavailable', 'the caller has hung up')));
      const make = async () => {
        await call.ensure();
        return exportRfmVersion(app, ctx, id, call, hungUp.signal);
      };
      return inTurn(ctx.workspaceId, make, hungUp.signal);
    },
  ),
];
