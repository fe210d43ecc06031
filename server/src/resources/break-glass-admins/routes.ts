import { Type } from 'typebox';
import { system } from '../../access/transactions.ts';
import { answerOf } from '../../api/named.ts';
import { type Route, route } from '../../api/route.ts';
import type { App } from '../app.ts';
import { addAdmin, removeAdmin } from './change.ts';
import { type AdminRow, selectAdmins } from './sql.ts';

const path = '/v1/api/organization/break-glass-admins';
const byPerson = { access: 'manage_members', scope: 'organization', channels: ['dashboard'] } as const;
const params = Type.Object({ user_id: Type.String() });
const example = {
  user_id: 'usr_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  email: 'ana@company.com',
  name: 'Ana Souza',
  ready: true,
  created_at: '2026-03-02T12:00:00.000Z',
};
const adminSchema = answerOf('BreakGlassAdmin', example, {
  user_id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  ready: Type.Boolean({
    description: 'Whether they could sign in that way now: with a password, a proved address and an app for codes.',
  }),
  created_at: Type.String(),
});

export const breakGlassAdminRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path,
      operation: 'breakGlassAdmins.list',
      summary: 'Who signs in with password and second factor when single sign-on does not answer',
      ...byPerson,
      answers: {
        200: Type.Object(
          { data: Type.Array(adminSchema) },
          { title: 'BreakGlassAdmins', examples: [{ data: [example] }] },
        ),
      },
    },
    async ({ organizationId }) => {
      const rows = await system(app.db, 'list break-glass admins', (tx) => selectAdmins(tx, organizationId));
      return { status: 200, body: { data: rows.map(present) } };
    },
  ),
  route(
    {
      method: 'PUT',
      path: `${path}/{user_id}`,
      operation: 'breakGlassAdmins.add',
      summary: 'Make a Creator of the whole organization a break-glass admin',
      description: 'An organization whose single sign-on is on keeps at least one who could sign in.',
      ...byPerson,
      fresh: true,
      params,
      answers: { 200: adminSchema },
    },
    async (ctx, { params: { user_id: userId } }) => ({
      status: 200,
      body: present(await addAdmin(app.db, ctx, userId)),
    }),
  ),
  route(
    {
      method: 'DELETE',
      path: `${path}/{user_id}`,
      operation: 'breakGlassAdmins.remove',
      summary: 'Make a break-glass admin a member like others',
      ...byPerson,
      fresh: true,
      params,
      problems: ['break_glass_required'],
      answers: { 204: null },
    },
    async (ctx, { params: { user_id: userId } }) => {
      await removeAdmin(app.db, ctx, userId);
      return { status: 204 };
    },
  ),
];

function present({ user_id, email, display_name, is_ready, created_at }: AdminRow) {
  return { user_id, email, name: display_name, ready: is_ready, created_at: created_at.toISOString() };
}
