import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { pageOf, pageQuery, readPage } from '../../api/list.ts';
import { type Route, route } from '../../api/route.ts';
import type { App } from '../app.ts';
import { adoptGfmVersion } from './adopt.ts';
import { gfmVersionSchema, presentGfmVersion } from './gfm-version.ts';
import { requireGfmVersion } from './require.ts';
import { adoptedVersion, selectGfmVersions } from './sql.ts';

const params = Type.Object({ id: Type.String() });

export const gfmVersionRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/gfm-versions',
      operation: 'gfmVersions.list',
      summary: 'Released versions of the graph model, newest first',
      access: 'view_models',
      query: Type.Object(pageQuery),
      answers: { 200: pageOf(gfmVersionSchema) },
    },
    async (ctx, { query }) => {
      const adopted = await tenant(app.db, ctx, (tx) => adoptedVersion(tx, ctx));
      return {
        status: 200,
        body: await readPage(
          app.keys.cursors,
          [ctx.workspaceId, 'gfm-versions'],
          query,
          (before, most) => tenant(app.db, ctx, (tx) => selectGfmVersions(tx, before, most)),
          (row) => presentGfmVersion(row, adopted),
        ),
      };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/gfm-versions/{id}',
      operation: 'gfmVersions.get',
      summary: 'One released version of the graph model',
      access: 'view_models',
      params,
      answers: { 200: gfmVersionSchema },
    },
    async (ctx, { params: { id } }) =>
      tenant(app.db, ctx, async (tx) => ({
        status: 200,
        body: presentGfmVersion(await requireGfmVersion(tx, id), await adoptedVersion(tx, ctx)),
      })),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/gfm-versions/{id}/adoption',
      operation: 'gfmVersions.adopt',
      summary: 'Read this version of the graph model from now on',
      access: 'manage_aliases',
      params,
      answers: { 200: gfmVersionSchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await adoptGfmVersion(app, ctx, id) }),
  ),
];
