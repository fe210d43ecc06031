import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { type Route, route } from '../../api/route.ts';
import type { App } from '../app.ts';
import { presentSetupStep, setupStepExample, setupStepSchema } from './setup-step.ts';
import { selectSteps } from './sql.ts';

export const setupStepRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/setup-steps',
      operation: 'setupSteps.list',
      summary: 'What the service makes in this workspace by itself, and how far it is',
      description:
        'Of the demo workspace: its data, its models and examples of all else, in the order in which they are made. Any other workspace has none.',
      access: 'view_members',
      answers: {
        200: Type.Object(
          { data: Type.Array(setupStepSchema) },
          { title: 'SetupSteps', examples: [{ data: [setupStepExample] }] },
        ),
      },
    },
    async (ctx) => ({
      status: 200,
      body: { data: (await tenant(app.db, ctx, (tx) => selectSteps(tx, ctx))).map(presentSetupStep) },
    }),
  ),
];
