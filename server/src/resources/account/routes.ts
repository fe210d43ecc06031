import { Type } from 'typebox';
import { requireOrigin } from '../../access/credentials/session.ts';
import { openRoute, type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { refuse } from '../../errors.ts';
import type { App } from '../app.ts';
import { passwordText } from '../passwords/password.ts';
import { noSession } from '../sessions/end.ts';
import { emailLengthMax } from '../users/email.ts';
import { getUser } from '../users/get.ts';
import { languageSchema, userSchema } from '../users/user.ts';
import { timeZoneText } from '../workspaces/workspace.ts';
import { signUp, verifySignUp } from './sign-up.ts';
import { changeUser, deleteUser, requestEmail, verifyEmail } from './update.ts';

const byPerson = { access: 'user', scope: 'user', channels: ['dashboard'] } as const;
const tokenBody = (title: string) =>
  Type.Object(
    { token: Type.String({ maxLength: 100 }) },
    { title, additionalProperties: false, examples: [{ token: 'lso_…' }] },
  );

export const accountRoutes = (app: App): Route[] => [
  openRoute(
    {
      method: 'POST',
      path: '/v1/api/users',
      operation: 'users.create',
      summary: 'Sign up with a new organization',
      description:
        'Sends a mail to the address, which must be of a company; nothing is made before it is proved. The answer is the same whether the address has an account or not.',
      access: 'public',
      body: Type.Object(
        {
          email: Type.String({ maxLength: emailLengthMax }),
          password: passwordText,
          name: shortText('Yours.'),
          organization: shortText('The name of the company.'),
          workspace: Type.Optional(shortText('The name of the first workspace: Main by default.')),
          time_zone: Type.Optional(timeZoneText),
          language: Type.Optional(languageSchema),
        },
        {
          title: 'SignUpRequest',
          additionalProperties: false,
          examples: [
            {
              email: 'ana@company.com',
              password: 'three words and a river',
              name: 'Ana Souza',
              organization: 'Company',
            },
          ],
        },
      ),
      problems: ['personal_address', 'weak_password', 'sso_required', 'rate_limited', 'cross_origin'],
      answers: { 202: null },
    },
    async (_, { body, exchange }) => {
      requireOrigin(exchange, app.publicUrl(), true);
      const { workspace = 'Main', time_zone: timeZone = 'America/Sao_Paulo', language = 'en', ...asked } = body;
      await signUp(app, exchange, { ...asked, workspace, timeZone, language });
      return { status: 202 };
    },
  ),
  openRoute(
    {
      method: 'POST',
      path: '/v1/api/users/verification',
      operation: 'users.verify',
      summary: 'End signing up with the token of the mail',
      description: 'Makes account, organization and workspace, and signs in.',
      access: 'public',
      body: tokenBody('SignUpVerification'),
      problems: ['sso_required', 'token_invalid', 'cross_origin'],
      answers: { 201: userSchema },
    },
    async (_, { body: { token }, exchange }) => {
      requireOrigin(exchange, app.publicUrl(), true);
      const { cookies, userId } = await verifySignUp(app, exchange, token);
      return { status: 201, headers: { 'set-cookie': cookies }, body: await getUser(app.db, userId) };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/user',
      operation: 'user.get',
      summary: 'Your account, and where you have which roles',
      ...byPerson,
      bound: true,
      answers: { 200: userSchema },
    },
    async (ctx) => ({ status: 200, body: await getUser(app.db, ctx.actor.id!, ctx.boundTo) }),
  ),
  route(
    {
      method: 'PATCH',
      path: '/v1/api/user',
      operation: 'user.update',
      summary: 'Change your name or language',
      ...byPerson,
      body: Type.Object(
        { name: Type.Optional(shortText()), language: Type.Optional(languageSchema) },
        { title: 'UserChange', additionalProperties: false, examples: [{ name: 'Ana Lima' }] },
      ),
      answers: { 200: userSchema },
    },
    async (ctx, { body }) => {
      if (body.name?.trim() === '')
        throw refuse('schema_mismatch', 'a name has letters', {
          problems: [{ at: '/name', message: 'must not be empty' }],
        });
      await changeUser(app, ctx, body);
      return { status: 200, body: await getUser(app.db, ctx.actor.id!) };
    },
  ),
  route(
    {
      method: 'DELETE',
      path: '/v1/api/user',
      operation: 'user.delete',
      summary: 'Delete your account',
      description:
        'Ends your roles, sessions and keys, and deletes your inbox and your choices. What you did stays in the audit trail, with your address.',
      ...byPerson,
      fresh: true,
      problems: ['last_creator', 'break_glass_required'],
      answers: { 204: null },
    },
    async (ctx) => {
      await deleteUser(app, ctx);
      return { status: 204, headers: { 'set-cookie': [noSession] } };
    },
  ),
  route(
    {
      method: 'PUT',
      path: '/v1/api/user/email',
      operation: 'user.requestEmail',
      summary: 'Ask to change your address',
      description: 'Sends a mail to the new one. It becomes yours with the token in it.',
      ...byPerson,
      fresh: true,
      body: Type.Object(
        { email: Type.String({ maxLength: emailLengthMax }) },
        { title: 'EmailChange', additionalProperties: false, examples: [{ email: 'ana.lima@company.com' }] },
      ),
      problems: ['personal_address'],
      answers: { 202: null },
    },
    async (ctx, { body: { email } }) => {
      await requestEmail(app, ctx, email);
      return { status: 202 };
    },
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/user/email/verification',
      operation: 'user.verifyEmail',
      summary: 'End a change of address with the token of the mail',
      ...byPerson,
      body: tokenBody('EmailVerification'),
      problems: ['token_invalid'],
      answers: { 200: userSchema },
    },
    async (ctx, { body: { token } }) => {
      await verifyEmail(app, ctx, token);
      return { status: 200, body: await getUser(app.db, ctx.actor.id!) };
    },
  ),
];
