import { Type } from 'typebox';
import { readRoutes } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import type { App } from '../app.ts';
import { createErasure } from './create.ts';
import { erasureSchema, presentErasure } from './erasure.ts';
import { interruptErasure } from './interrupt.ts';
import { selectErasure, selectErasures } from './sql.ts';

export const identifierLengthMax = 1_000;

export const erasureRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v1/api/erasures',
      operation: 'erasures.create',
      summary: 'Erase a company, person or asset',
      description:
        'Its name leaves the dictionary, so that tables and models no longer tell whose their numbers are; answered predictions that name it are emptied, uploaded files and batch results that name it lose their bytes, and evaluations of them their results. Models are not changed.',
      access: 'upload_files',
      creates: true,
      body: Type.Object(
        {
          identifier: Type.String({
            minLength: 1,
            maxLength: identifierLengthMax,
            description: 'As your files spell it.',
          }),
        },
        { title: 'ErasureRequest', additionalProperties: false, examples: [{ identifier: '11222333000181' }] },
      ),
      problems: ['limit_exceeded'],
      answers: { 202: erasureSchema },
    },
    (ctx, { body }) => createErasure(app, ctx, body.identifier),
  ),
  ...readRoutes(app, {
    path: 'erasures',
    table: 'erasures',
    operation: 'erasures',
    noun: 'erasure',
    summaries: ['Erasures, newest first; none says who was erased', 'One erasure'],
    access: 'upload_files',
    schema: erasureSchema,
    selectPage: selectErasures,
    selectOne: selectErasure,
    present: presentErasure,
    isOver: ({ status }) => status !== 'queued' && status !== 'running',
  }),
  route(
    {
      method: 'POST',
      path: '/v1/api/erasures/{id}/interrupt',
      operation: 'erasures.interrupt',
      summary: 'Stop an erasure that has taken nothing out yet',
      description:
        'As long as it searches, nothing has been changed. Once the name has been taken out, the erasure goes on to its end.',
      access: 'upload_files',
      params: Type.Object({ id: Type.String() }),
      problems: ['already_finished', 'conflict'],
      answers: { 200: erasureSchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await interruptErasure(app, ctx, id) }),
  ),
];
