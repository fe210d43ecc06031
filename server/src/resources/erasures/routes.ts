import { Type } from 'typebox';
import { readRoutes } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import type { App } from '../app.ts';
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
        { title: 'ErasureRequest', additionalProperties: false, examples: [{ identifier: '11222333000181' }] },
      ),
      answers: { 202: erasureSchema },
    },
    (ctx, { body }) => createErasure(app, ctx, body.identifier),
  ),
  ...readRoutes(app, {
    path: 'erasures',
    operation: 'erasures',
    noun: 'erasure',
    summaries: ['Erasures, newest first; none says who was erased', 'One erasure'],
    access: 'upload_files',
    schema: erasureSchema,
    selectPage: selectErasures,
    selectOne: selectErasure,
    present: presentErasure,
  }),
];
