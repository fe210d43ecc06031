import { type Route, route } from '../../api/route.ts';
import type { App } from '../app.ts';
import { archiveWorkspace, unarchiveWorkspace } from './archive.ts';

const byCreator = { access: 'archive_workspaces', channels: ['dashboard'], archived: 'admitted' } as const;

export const archivalRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v1/api/workspace/archive',
      operation: 'workspace.archive',
      summary: 'Archive the workspace in which you act',
      description:
        'It can be read and not changed: everything else is refused as workspace_archived. What is queued and what runs is interrupted.',
      ...byCreator,
      problems: ['workspace_archived'],
      answers: { 204: null },
    },
    async (ctx) => {
      await archiveWorkspace(app, ctx);
      return { status: 204 };
    },
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/workspace/unarchive',
      operation: 'workspace.unarchive',
      summary: 'Take the workspace in which you act out of the archive',
      ...byCreator,
      problems: ['conflict'],
      answers: { 204: null },
    },
    async (ctx) => {
      await unarchiveWorkspace(app, ctx);
      return { status: 204 };
    },
  ),
];
