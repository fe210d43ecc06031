import { Type } from 'typebox';
import { readRoutes } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import type { App } from '../app.ts';
import { aliasName } from '../models/alias.ts';
import { taskName } from '../tasks/task.ts';
import { createRun } from './create.ts';
import { runExample } from './example.ts';
import { interruptRun } from './interrupt.ts';
import { finishedStatuses, presentRun, runSchema } from './run.ts';
import { selectRunInTurn, selectRuns } from './sql.ts';
import { watchRun } from './watch.ts';

const params = Type.Object({ id: Type.String() });

export const trainingRunRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v1/api/training-runs',
      operation: 'trainingRuns.create',
      summary: 'Learn a task from the newest data, or pre-train the encoder of a table',
      description:
        "With task_id: makes a version of a model. With entity: pre-trains the workspace's relational model of that table's rows from what their events did next, without labels, and makes an RFM version that embeddings are read from.",
      access: 'manage_aliases',
      creates: true,
      body: Type.Object(
        {
          task_id: Type.Optional(shortText('Id or name of a task.')),
          entity: Type.Optional(shortText('A table of the contract; in place of task_id.')),
          model: Type.Optional(taskName("The model's name; the task's by default.")),
          alias: Type.Optional(
            aliasName(
              'Pointed at the version once active, unless callers of the version behind it would be refused: an input is gone, newly required, or takes fewer values. warnings of the run then says so (inputs_changed). Without one the version is held against what the only alias of the model points at, or production among several, and nothing moves.',
            ),
          ),
          accept_input_changes: Type.Optional(
            Type.Boolean({ description: 'Move the alias in that case too; false by default.' }),
          ),
          hold_back_worse: Type.Optional(
            Type.Boolean({
              description:
                'Keep the alias from a version whose first output, or that of its score, is surely worse than what takes no learning, and say so in warnings of the run (alias_held_back); false by default.',
            }),
          ),
          feedback: Type.Optional(
            Type.Boolean({
              description:
                "Whether the task's closed labels also fine-tune a copy of the newest encoder of its table; by default where there is one. It becomes an RFM version, with the one before as its parent, if no other head falls on later moments; metrics.feedback says.",
            }),
          ),
          gfm: Type.Optional(
            Type.Union([Type.Literal('adopted'), Type.Literal('none')], {
              description:
                'Whether vectors of the GFM version that the workspace has adopted may be read: by a model where it predicts better with them, by an encoder beside its tables. By default where there is one and the contract marks a graphKey column of the entity or of what it refers to; adopted: refused where that is not so.',
            }),
          ),
          pretrain: Type.Optional(
            Type.Boolean({
              description:
                'First learn, without labels, what the events of the entity usually lead to: for tasks about entities with few labels. Where that helps, the version has an encoder of its own.',
            }),
          ),
        },
        {
          title: 'TrainingRunRequest',
          additionalProperties: false,
          examples: [{ task_id: 'tsk_0199f3a8c4d27b1e9c55d0a1b2c3d4e5', alias: 'production' }],
        },
      ),
      problems: [
        'invalid',
        'invalid_task',
        'budget_exceeded',
        'not_found',
        'no_data',
        'data_behind_contract',
        'no_encoder',
        'name_taken',
        'limit_exceeded',
        'quota_exceeded',
      ],
      answers: { 202: runSchema },
    },
    (ctx, { body }) => createRun(app, ctx, body),
  ),
  ...readRoutes(app, {
    path: 'training-runs',
    table: 'training_runs',
    operation: 'trainingRuns',
    noun: 'training run',
    summaries: ['Training runs, newest first', 'One training run with its progress'],
    access: 'view_models',
    schema: runSchema,
    selectPage: selectRuns,
    selectOne: selectRunInTurn,
    present: presentRun,
    isOver: ({ status }) => finishedStatuses.includes(status),
  }),
  route(
    {
      method: 'GET',
      path: '/v1/api/training-runs/{id}/events',
      operation: 'trainingRuns.watch',
      summary: 'The progress of a run as server-sent events, until it has finished',
      access: 'view_models',
      params,
      answers: { 200: null },
      produces: 'text/event-stream',
      example: `event: run\ndata: ${JSON.stringify(runExample)}\n\n`,
    },
    (ctx, { params: { id }, exchange }) => watchRun(app, ctx, id, exchange),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/training-runs/{id}/interrupt',
      operation: 'trainingRuns.interrupt',
      summary: 'Stop a training run',
      access: 'manage_aliases',
      params,
      problems: ['already_finished'],
      answers: { 200: runSchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: await interruptRun(app, ctx, id) }),
  ),
];
