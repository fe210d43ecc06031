import { Type } from 'typebox';
import { system, tenant } from '../../access/transactions.ts';
import { listRoute } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { addWorkspace } from './add.ts';
import { selectWorkspace, selectWorkspaces, updateWorkspace } from './sql.ts';
import { languageText, presentWorkspace, requireTimeZone, timeZoneText, workspaceSchema } from './workspace.ts';

const changeable = { name: shortText(), time_zone: timeZoneText, language: languageText };

export const workspaceRoutes = (app: App): Route[] => [
  listRoute(app, {
    ...{ path: '/v1/api/workspaces', list: 'workspaces', operation: 'workspaces.list' },
    summary: 'Workspaces of the organization, newest first',
    ...{ access: 'view_members', scope: 'organization', schema: workspaceSchema },
    ...{ selectPage: selectWorkspaces, present: presentWorkspace },
  }),
  route(
    {
      method: 'POST',
      path: '/v1/api/workspaces',
      operation: 'workspaces.create',
      summary: 'Add a workspace to the organization',
      ...{ access: 'create_workspaces', scope: 'organization', channels: ['dashboard'] },
      body: Type.Object(
        {
          name: changeable.name,
          time_zone: Type.Optional(timeZoneText),
          language: Type.Optional(languageText),
        },
        { title: 'WorkspaceRequest', additionalProperties: false, examples: [{ name: 'Lending' }] },
      ),
      answers: { 201: workspaceSchema },
    },
    async (ctx, { body: { name, time_zone: timeZone = 'America/Sao_Paulo', language = 'en' } }) => {
      requireTimeZone(timeZone);
      // What is recorded in a workspace is not written from outside of it.
      const row = await system(app.db, 'create workspace', async (tx) =>
        selectWorkspace(tx, await addWorkspace(tx, ctx, { name, timeZone, language })),
      );
      return { status: 201, body: presentWorkspace(row) };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/workspace',
      operation: 'workspace.get',
      summary: 'The workspace in which you act',
      access: 'view_members',
      answers: { 200: workspaceSchema },
    },
    async (ctx) => ({
      status: 200,
      body: presentWorkspace(await tenant(app.db, ctx, (tx) => selectWorkspace(tx, ctx.workspaceId))),
    }),
  ),
  route(
    {
      method: 'PATCH',
      path: '/v1/api/workspace',
      operation: 'workspace.update',
      summary: 'Change name, time zone or language of the workspace in which you act',
      description: 'Another time zone holds for what is asked from then on.',
      ...{ access: 'create_workspaces', channels: ['dashboard'] },
      body: Type.Object(
        {
          name: Type.Optional(changeable.name),
          time_zone: Type.Optional(timeZoneText),
          language: Type.Optional(languageText),
        },
        { title: 'WorkspaceChange', additionalProperties: false, examples: [{ name: 'Lending Brazil' }] },
      ),
      answers: { 200: workspaceSchema },
    },
    async (ctx, { body }) => {
      if (body.time_zone !== undefined) requireTimeZone(body.time_zone);
      const row = await tenant(app.db, ctx, async (tx) => {
        if (Object.keys(body).length > 0) {
          await updateWorkspace(tx, ctx, body);
          await record(tx, ctx, 'workspace-update', { type: 'workspace', id: ctx.workspaceId }, body);
        }
        return selectWorkspace(tx, ctx.workspaceId);
      });
      return { status: 200, body: presentWorkspace(row) };
    },
  ),
];
