import { Type } from 'typebox';
import { tenant } from '../../tenancy/doors.ts';
import { refuse } from '../../tenancy/errors.ts';
import { type Route, route } from '../../tenancy/route.ts';
import type { App } from '../app.ts';
import { pageOf, pageQuery, readPage } from '../list.ts';
import { createErasure } from './create.ts';
import { erasureSchema, presentErasure } from './erasure.ts';
import { selectErasure, selectErasures } from './sql.ts';

export const erasureRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v1/api/erasures',
      operation: 'erasures.create',
      summary: 'Erase a company, person or asset',
      description:
        'Its name leaves the dictionary, so that tables and models no longer tell whose their numbers are; answered predictions that name it are emptied, uploaded files and batch results that name it lose their bytes. Models are not changed.',
      access: 'upload_files',
      creates: true,
      body: Type.Object(
        { identifier: Type.String({ minLength: 1, maxLength: 1000, description: 'As your files spell it.' }) },
        { additionalProperties: false, examples: [{ identifier: '11222333000181' }] },
      ),
      answers: { 202: erasureSchema },
    },
    (ctx, { body }) => createErasure(app, ctx, body.identifier),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/erasures',
      operation: 'erasures.list',
      summary: 'Erasures, newest first; none says who was erased',
      access: 'upload_files',
      query: Type.Object(pageQuery),
      answers: { 200: pageOf(erasureSchema) },
    },
    async (ctx, { query }) => ({
      status: 200,
      body: await readPage(
        app.keys.cursors,
        [ctx.workspaceId, 'erasures'],
        query,
        (before, most) => tenant(app.db, ctx, (tx) => selectErasures(tx, before, most)),
        presentErasure,
      ),
    }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/erasures/{id}',
      operation: 'erasures.get',
      summary: 'One erasure',
      access: 'upload_files',
      params: Type.Object({ id: Type.String() }),
      answers: { 200: erasureSchema },
    },
    async (ctx, { params: { id } }) => {
      const row = await tenant(app.db, ctx, (tx) => selectErasure(tx, id));
      if (!row) throw refuse('not_found', `there is no erasure ${id}`);
      return { status: 200, body: presentErasure(row) };
    },
  ),
];
