import { Type } from 'typebox';
import { readRoutes } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { kinds } from '../../ml/kinds/kinds.ts';
import type { App } from '../app.ts';
import { createTask } from './create.ts';
import { selectTask, selectTasks } from './sql.ts';
import { definedTaskSchema, presentTask, taskName, taskSchema } from './task.ts';

export const definitionLengthMax = 200_000;

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
          name: taskName(),
          definition: Type.String({
            minLength: 1,
            maxLength: definitionLengthMax,
            description:
              'YAML, or a query: PREDICT exists(order) WITHIN 30d FOR customer. There is an example of each kind.',
            examples: kinds.map(({ example }) => example),
          }),
          labels: Type.Optional(
            Type.Object(
              {
                train: Type.Optional(shortText('Id of an uploaded file with labels.')),
                validation: Type.Optional(shortText('Later labels, learned from as well.')),
              },
              { additionalProperties: false },
            ),
          ),
        },
        {
          title: 'TaskRequest',
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
      problems: ['invalid_task', 'budget_exceeded', 'name_taken', 'not_found', 'file_not_uploaded', 'file_deleted'],
      answers: { 201: definedTaskSchema },
    },
    (ctx, { body }) => createTask(app, ctx, body),
  ),
  ...readRoutes(app, {
    path: 'tasks',
    operation: 'tasks',
    noun: 'task',
    summaries: ['Tasks, newest first', 'One task'],
    access: 'view_models',
    schema: taskSchema,
    selectPage: selectTasks,
    selectOne: selectTask,
    present: presentTask,
  }),
];
