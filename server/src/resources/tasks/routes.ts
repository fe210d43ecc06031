import { Type } from 'typebox';
import { refusalWithout } from '../../access/authorize.ts';
import { readRoutes } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { refuse } from '../../errors.ts';
import { isMultipart } from '../../lib/http/multipart.ts';
import { kinds } from '../../ml/kinds/kinds.ts';
import type { App } from '../app.ts';
import { refuseTexts } from '../files/fields.ts';
import { type Parts, receiveParts } from '../files/receive-parts.ts';
import { countedLabelsSchema, countTaskLabels } from './count-labels.ts';
import { createTask } from './create.ts';
import { deleteTask } from './delete.ts';
import { readUnderContract } from './read-definition.ts';
import { requireTask } from './require.ts';
import { selectTasks } from './sql.ts';
import { presentTask, readDefinitionSchema, taskName, taskSchema } from './task.ts';

export const definitionLengthMax = 200_000;

const definitionSchema = Type.String({
  minLength: 1,
  maxLength: definitionLengthMax,
  description: 'YAML, or a query: PREDICT exists(order) WITHIN 30d FOR customer. There is an example of each kind.',
  examples: kinds.map(({ example }) => example),
});

const requestSchema = Type.Object(
  {
    name: taskName(),
    definition: definitionSchema,
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
);

const partsSchema = Type.Object(
  {
    name: taskName(),
    definition: Type.String({ minLength: 1, maxLength: definitionLengthMax, description: 'YAML, or a query.' }),
    train: Type.Optional(file('Labels.')),
    validation: Type.Optional(file('Later labels, learned from as well.')),
  },
  {
    title: 'TaskParts',
    additionalProperties: false,
    examples: [
      {
        name: 'returns',
        definition:
          'entity: customers\nkey: customer_id\ntime: date\nlabel: returns\nkind: binary\nmetric: auroc\nwindow: 30d\n',
        train: 'date,customer_id,returns\n2023-04-11,C1,0\n',
      },
    ],
  },
);

function file(description: string) {
  return Type.String({ contentMediaType: 'application/octet-stream', description });
}

const taskParts: Parts<typeof requestSchema> = {
  body: requestSchema,
  filesMax: 2,
  texts: ['definition'],
  read(fields, files) {
    const { name, definition, ...others } = Object.fromEntries(fields);
    refuseTexts(others);
    if (new Set(files.map(({ name }) => name)).size < files.length)
      throw refuse('invalid', 'the labels come in one file for train and one for validation');
    return { name, definition, labels: Object.fromEntries(files.map(({ id, name }) => [name, id])) };
  },
};

export const taskRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v1/api/tasks',
      operation: 'tasks.create',
      summary: 'Define a question to learn',
      description:
        'Sent as multipart/form-data, by who may also upload files, the label files themselves are its parts train and validation; they are stored as uploaded files.',
      access: 'manage_aliases',
      creates: true,
      body: requestSchema,
      parts: partsSchema,
      problems: [
        'invalid',
        'invalid_task',
        'budget_exceeded',
        'name_taken',
        'not_found',
        'file_not_uploaded',
        'file_deleted',
      ],
      answers: { 201: taskSchema },
    },
    (ctx, call) => {
      if (!isMultipart(call.exchange)) return createTask(app, ctx, call.body);
      const refused = refusalWithout(ctx.permissions, ['upload_files']);
      if (refused) throw refused;
      return receiveParts(app, ctx, call, taskParts, (ctx, body, keep, received) =>
        createTask(app, ctx, body, keep, received),
      );
    },
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/tasks/question',
      operation: 'tasks.checkDefinition',
      summary: 'What a definition asks, in words, before a task is made of it',
      description: 'It is read under the active contract, as it would be for a task. Nothing is kept.',
      access: 'manage_aliases',
      body: Type.Object(
        { definition: definitionSchema },
        {
          title: 'DefinitionRequest',
          additionalProperties: false,
          examples: [{ definition: 'PREDICT NOT exists(orders) WITHIN 90d FOR customers' }],
        },
      ),
      problems: ['invalid_task', 'budget_exceeded'],
      answers: { 200: readDefinitionSchema },
    },
    async (ctx, { body: { definition } }) => {
      const { kind, query, question } = await readUnderContract(app, ctx, { name: 'question', definition });
      return { status: 200, body: { kind, query, question } };
    },
  ),
  route(
    {
      method: 'DELETE',
      path: '/v1/api/tasks/{id}',
      operation: 'tasks.delete',
      summary: 'Delete a task that no model answers',
      description: 'Its training runs are kept, and its label files as uploaded files. Its name is free again.',
      access: 'manage_aliases',
      params: Type.Object({ id: Type.String() }),
      problems: ['in_use'],
      answers: { 204: null },
    },
    async (ctx, { params: { id } }) => {
      await deleteTask(app, ctx, id);
      return { status: 204 };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/tasks/{id}/labels',
      operation: 'tasks.countLabels',
      summary: 'How many labels a task has, month by month, before it is trained',
      description:
        'Laid out over the newest data as a training run would lay them out, of the first output. Of a task whose labels come in files, count them there.',
      access: 'manage_aliases',
      params: Type.Object({ id: Type.String() }),
      problems: ['no_data', 'data_behind_contract', 'invalid_task', 'budget_exceeded'],
      answers: { 200: countedLabelsSchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await countTaskLabels(app, ctx, id) }),
  ),
  ...readRoutes(app, {
    path: 'tasks',
    table: 'tasks',
    operation: 'tasks',
    noun: 'task',
    summaries: ['Tasks, newest first', 'One task'],
    access: 'view_models',
    schema: taskSchema,
    selectPage: selectTasks,
    selectOne: requireTask,
    present: presentTask,
  }),
];
