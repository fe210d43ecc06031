import { Type } from 'typebox';
import { requireOrigin } from '../../access/credentials/session.ts';
import type { ScopeKind } from '../../access/scope.ts';
import { listRoute } from '../../api/read-routes.ts';
import { openRoute, type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import type { App } from '../app.ts';
import { passwordText } from '../passwords/password.ts';
import { emailLengthMax } from '../users/email.ts';
import { getUser } from '../users/get.ts';
import { languageSchema, roleSchema, userSchema } from '../users/user.ts';
import { acceptAs, acceptAsNewcomer } from './accept.ts';
import { invite, resend, revoke } from './create.ts';
import { invitationSchema, presentInvitation } from './invitation.ts';
import { selectInvitations } from './sql.ts';

type Place = {
  readonly scope: Exclude<ScopeKind, 'user'>;
  readonly path: string;
  readonly operation: string;
  readonly words: string;
};

const places: readonly Place[] = [
  { scope: 'workspace', path: '/v1/api/invitations', operation: 'invitations', words: 'the workspace' },
  {
    scope: 'organization',
    path: '/v1/api/organization/invitations',
    operation: 'organizationInvitations',
    words: 'the organization and all its workspaces',
  },
];

export const invitationRoutes = (app: App): Route[] => [
  ...places.flatMap((place) => routesIn(app, place)),
  route(
    {
      method: 'POST',
      path: '/v1/api/invitations/acceptance',
      operation: 'invitations.accept',
      summary: 'Accept an invitation to the address of your account',
      ...{ access: 'user', scope: 'user', channels: ['dashboard'] },
      body: Type.Object(
        { token: Type.String({ maxLength: 100 }) },
        { title: 'InvitationAcceptance', additionalProperties: false, examples: [{ token: 'lsi_…' }] },
      ),
      problems: ['token_invalid', 'wrong_address'],
      answers: { 200: userSchema },
    },
    async (ctx, { body: { token } }) => {
      await acceptAs(app, ctx, token);
      return { status: 200, body: await getUser(app.db, ctx.actor.id!) };
    },
  ),
  openRoute(
    {
      method: 'POST',
      path: '/v1/api/invitations/account',
      operation: 'invitations.acceptAsNewcomer',
      summary: 'Accept an invitation without having an account: makes one, and signs in',
      access: 'public',
      body: Type.Object(
        {
          token: Type.String({ maxLength: 100 }),
          name: shortText(),
          password: passwordText,
          language: Type.Optional(languageSchema),
        },
        {
          title: 'NewcomerAcceptance',
          additionalProperties: false,
          examples: [{ token: 'lsi_…', name: 'Rui Lima', password: 'three words and a river' }],
        },
      ),
      problems: ['sso_required', 'token_invalid', 'sign_in_first', 'weak_password', 'rate_limited', 'cross_origin'],
      answers: { 201: userSchema },
    },
    async (_, { body: { token, language = 'en', ...newcomer }, exchange }) => {
      requireOrigin(exchange, app.publicUrl(), true);
      const { cookies, userId } = await acceptAsNewcomer(app, exchange, token, { ...newcomer, language });
      return { status: 201, headers: { 'set-cookie': cookies }, body: await getUser(app.db, userId) };
    },
  ),
];

const routesIn = (app: App, { scope, path, operation, words }: Place): Route[] => [
  listRoute(app, {
    ...{ path, list: 'invitations', operation: `${operation}.list`, summary: `Invitations to ${words}, newest first` },
    ...{ access: 'manage_members', scope, schema: invitationSchema },
    ...{ selectPage: selectInvitations, present: presentInvitation },
  }),
  route(
    {
      method: 'POST',
      path,
      operation: `${operation}.create`,
      summary: `Invite somebody to ${words}`,
      description:
        'Sends a mail to an address of a company. It may be accepted once, within 7 days, while who invited has the right to.',
      ...{ access: 'manage_members', scope, channels: ['dashboard'], fresh: true },
      body: Type.Object(
        { email: Type.String({ maxLength: emailLengthMax }), role: roleSchema },
        {
          title: 'InvitationRequest',
          additionalProperties: false,
          examples: [{ email: 'rui@company.com', role: 'developer' }],
        },
      ),
      problems: ['personal_address', 'already_invited'],
      answers: { 201: invitationSchema },
    },
    async (ctx, { body }) => ({ status: 201, body: presentInvitation(await invite(app, ctx, body)) }),
  ),
  route(
    {
      method: 'POST',
      path: `${path}/{id}/resend`,
      operation: `${operation}.resend`,
      summary: `Send an invitation to ${words} again`,
      description: 'With a new token and 7 new days; the one sent before is no longer good.',
      ...{ access: 'manage_members', scope, channels: ['dashboard'] },
      params: Type.Object({ id: Type.String() }),
      answers: { 200: invitationSchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: presentInvitation(await resend(app, ctx, id)) }),
  ),
  route(
    {
      method: 'DELETE',
      path: `${path}/{id}`,
      operation: `${operation}.revoke`,
      summary: `Revoke an invitation to ${words}`,
      ...{ access: 'manage_members', scope, channels: ['dashboard'] },
      params: Type.Object({ id: Type.String() }),
      answers: { 200: invitationSchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: presentInvitation(await revoke(app, ctx, id)) }),
  ),
];
