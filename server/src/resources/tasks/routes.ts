import { Type } from 'typebox';
import { tenant } from '../../tenancy/doors.ts';
import { refuse } from '../../tenancy/errors.ts';
import { type Route, route } from '../../tenancy/route.ts';
import type { App } from '../app.ts';
import { pageOf, pageQuery, readPage } from '../list.ts';
import { createTask } from './create.ts';
import { selectTask, selectTasks } from './sql.ts';
import { definedTaskSchema, presentTask, taskSchema } from './task.ts';

const definitionLengthMax = 200_000;

export const taskRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v1/api/tasks',
      operation: 'tasks.create',
      summary: 'Define a question to learn',
      access: 'manage_aliases',
      creates: true,
      body: Type.Object(
        {
          name: Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9_-]{0,62}$' }),
          definition: Type.String({
            minLength: 1,
            maxLength: definitionLengthMax,
            description: 'YAML, or a query: PREDICT exists(order) WITHIN 30d FOR customer.',
          }),
          labels: Type.Optional(
            Type.Object(
              {
                train: Type.Optional(Type.String({ description: 'Id of an uploaded file with labels.' })),
                validation: Type.Optional(Type.String({ description: 'Later labels, learned from as well.' })),
              },
              { additionalProperties: false },
            ),
          ),
        },
        {
          additionalProperties: false,
          examples: [
            {
              name: 'returns',
              definition:
                'entity: customers\nkey: customer_id\ntime: date\nlabel: returns\nkind: binary\nmetric: auroc\nwindow: 30d\n',
              labels: { train: 'file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5' },
            },
          ],
        },
      ),
      answers: { 201: definedTaskSchema },
    },
    (ctx, { body }) => createTask(app, ctx, body),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/tasks',
      operation: 'tasks.list',
      summary: 'Tasks, newest first',
      access: 'view_models',
      query: Type.Object(pageQuery),
      answers: { 200: pageOf(taskSchema) },
    },
    async (ctx, { query }) => ({
      status: 200,
      body: await readPage(
        app.keys.cursors,
        [ctx.workspaceId, 'tasks'],
        query,
        (before, most) => tenant(app.db, ctx, (tx) => selectTasks(tx, before, most)),
        presentTask,
      ),
    }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/tasks/{id}',
      operation: 'tasks.get',
      summary: 'One task',
      access: 'view_models',
      params: Type.Object({ id: Type.String() }),
      answers: { 200: taskSchema },
    },
    async (ctx, { params: { id } }) => {
      const row = await tenant(app.db, ctx, (tx) => selectTask(tx, id));
      if (!row) throw refuse('not_found', `there is no task ${id}`);
      return { status: 200, body: presentTask(row) };
    },
  ),
];
