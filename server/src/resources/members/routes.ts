import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { ScopeKind } from '../../access/scope.ts';
import { listRoute } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import { whileAllowed } from '../../api/while-allowed.ts';
import type { App } from '../app.ts';
import { roleSchema } from '../users/user.ts';
import { historyExample, writeHistory } from './history.ts';
import { memberSchema, presentMember } from './member.ts';
import { removeMember } from './remove.ts';
import { setRole } from './set-role.ts';
import { selectMembers } from './sql.ts';

type Place = {
  readonly scope: Exclude<ScopeKind, 'user'>;
  /** What the paths begin with. */
  readonly path: string;
  readonly operation: string;
  readonly words: string;
};

const places: readonly Place[] = [
  { scope: 'workspace', path: '/v1/api/members', operation: 'members', words: 'of the workspace' },
  {
    scope: 'organization',
    path: '/v1/api/organization/members',
    operation: 'organizationMembers',
    words: 'of the organization as a whole',
  },
];

export const memberRoutes = (app: App): Route[] => places.flatMap((place) => routesIn(app, place));

const routesIn = (app: App, { scope, path, operation, words }: Place): Route[] => [
  listRoute(app, {
    ...{ path, list: 'members', operation: `${operation}.list`, summary: `Members ${words}, newest first` },
    description: 'With those whose role in the organization holds here.',
    ...{ access: 'view_members', scope, schema: memberSchema, selectPage: selectMembers, present: presentMember },
  }),
  route(
    {
      method: 'GET',
      path: `${path}/history`,
      operation: `${operation}.downloadHistory`,
      summary: `Who came, went and changed role: members ${words}, as CSV`,
      description: 'A text that a spreadsheet would run as a formula gets an apostrophe before it.',
      ...{ access: 'manage_members', scope },
      produces: 'text/csv',
      example: historyExample,
      answers: { 200: null },
    },
    async (ctx, { ensure }) => ({
      status: 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="membership-history.csv"',
        'cache-control': 'private, no-store',
      },
      body: whileAllowed(Readable.from(writeHistory(app, ctx), { objectMode: false }), ensure),
    }),
  ),
  route(
    {
      method: 'PATCH',
      path: `${path}/{user_id}`,
      operation: `${operation}.setRole`,
      summary: `Give a member ${words} another role`,
      description: 'It holds from the next request on, for the keys that the member made too.',
      ...{ access: 'manage_members', scope, channels: ['dashboard'], fresh: true },
      params: Type.Object({ user_id: Type.String() }),
      body: Type.Object(
        { role: roleSchema },
        { title: 'RoleChange', additionalProperties: false, examples: [{ role: 'developer' }] },
      ),
      problems: ['last_creator', 'break_glass_required'],
      answers: { 200: memberSchema },
    },
    async (ctx, { params: { user_id }, body: { role } }) => ({
      status: 200,
      body: await setRole(app.db, ctx, user_id, role),
    }),
  ),
  route(
    {
      method: 'DELETE',
      path: `${path}/{user_id}`,
      operation: `${operation}.remove`,
      summary: `Remove a member ${words}`,
      description: 'Ends their sessions and keys, and the open invitations that they made, in the same moment.',
      ...{ access: 'manage_members', scope, channels: ['dashboard'], fresh: true },
      params: Type.Object({ user_id: Type.String() }),
      problems: ['last_creator', 'break_glass_required'],
      answers: { 204: null },
    },
    async (ctx, { params: { user_id } }) => {
      await removeMember(app.db, ctx, user_id);
      return { status: 204 };
    },
  ),
  route(
    {
      method: 'POST',
      path: `${path}/leave`,
      operation: `${operation}.leave`,
      summary: `Give up your own role: leave the members ${words}`,
      ...{ access: 'view_members', scope, channels: ['dashboard'], archived: 'admitted' },
      problems: ['not_found', 'last_creator', 'break_glass_required'],
      answers: { 204: null },
    },
    async (ctx) => {
      await removeMember(app.db, ctx, ctx.actor.id!);
      return { status: 204 };
    },
  ),
];
