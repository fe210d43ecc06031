import { Type } from 'typebox';
import { requireOrigin } from '../../access/credentials/session.ts';
import { system } from '../../access/transactions.ts';
import { answerOf } from '../../api/named.ts';
import { openRoute, type Route, route } from '../../api/route.ts';
import type { App } from '../app.ts';
import { passwordText } from '../passwords/password.ts';
import { emailLengthMax } from '../users/email.ts';
import { getUser } from '../users/get.ts';
import { userSchema } from '../users/user.ts';
import { proveSecondFactor, signIn } from './create.ts';
import { endOtherSessions, endSession, noSession } from './end.ts';
import { signInWithLink } from './link.ts';
import { reauthenticate } from './reauthenticate.ts';
import { presentSession, sessionExample, sessionSchema } from './session.ts';
import { selectSessions } from './sql.ts';

const codeText = Type.String({ maxLength: 50, description: 'Of the app, or a recovery code.' });
const challengeSchema = answerOf(
  'SecondFactorChallenge',
  { token: 'lsc_…', expires_at: '2026-03-02T12:05:00.000Z' },
  { token: Type.String({ description: 'Goes with the code.' }), expires_at: Type.String() },
);
const byPerson = { access: 'user', scope: 'user', channels: ['dashboard'] } as const;

export const sessionRoutes = (app: App): Route[] => [
  openRoute(
    {
      method: 'POST',
      path: '/v1/api/sessions',
      operation: 'sessions.create',
      summary: 'Sign in with address and password',
      description:
        'Sets the cookies of the session and of the device. Whoever has a second factor gets 202 and a token, and gives the code next. A session ends after 30 minutes without a request, and after 12 hours.',
      access: 'public',
      body: Type.Object(
        { email: Type.String({ maxLength: emailLengthMax }), password: passwordText },
        {
          title: 'SignInRequest',
          additionalProperties: false,
          examples: [{ email: 'ana@company.com', password: 'three words and a river' }],
        },
      ),
      problems: ['sign_in_failed', 'rate_limited', 'cross_origin'],
      answers: { 201: userSchema, 202: challengeSchema },
    },
    async (_, { body: { email, password }, exchange }) => {
      requireOrigin(exchange, app.publicUrl(), true);
      const begun = await signIn(app, exchange, email, password);
      if ('token' in begun)
        return { status: 202, body: { token: begun.token, expires_at: begun.expiresAt.toISOString() } };
      const { cookies, userId } = begun;
      return { status: 201, headers: { 'set-cookie': cookies }, body: await getUser(app.db, userId) };
    },
  ),
  openRoute(
    {
      method: 'POST',
      path: '/v1/api/sessions/second-factor',
      operation: 'sessions.createWithSecondFactor',
      summary: 'Give the code of the second factor, and be signed in',
      description: 'A code of the app, or one of the recovery codes. Each is good once.',
      access: 'public',
      body: Type.Object(
        { token: Type.String({ maxLength: 100 }), code: codeText },
        { title: 'SecondFactorProof', additionalProperties: false, examples: [{ token: 'lsc_…', code: '123456' }] },
      ),
      problems: ['token_invalid', 'sign_in_failed', 'rate_limited', 'cross_origin'],
      answers: { 201: userSchema },
    },
    async (_, { body: { token, code }, exchange }) => {
      requireOrigin(exchange, app.publicUrl(), true);
      const { cookies, userId } = await proveSecondFactor(app, exchange, token, code);
      return { status: 201, headers: { 'set-cookie': cookies }, body: await getUser(app.db, userId) };
    },
  ),
  openRoute(
    {
      method: 'POST',
      path: '/v1/api/sessions/link',
      operation: 'sessions.createWithLink',
      summary: 'Sign in with the token of a link from the operator',
      description: 'The token is good once. Choose a password then: PUT /v1/api/user/password.',
      access: 'public',
      body: Type.Object(
        { token: Type.String({ maxLength: 100 }) },
        { title: 'LinkSignInRequest', additionalProperties: false, examples: [{ token: 'lso_…' }] },
      ),
      problems: ['token_invalid', 'cross_origin'],
      answers: { 201: userSchema },
    },
    async (_, { body: { token }, exchange }) => {
      requireOrigin(exchange, app.publicUrl(), true);
      const { cookies, userId } = await signInWithLink(app, exchange, token);
      return { status: 201, headers: { 'set-cookie': cookies }, body: await getUser(app.db, userId) };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/sessions',
      operation: 'sessions.list',
      summary: 'Your sessions, newest first',
      ...byPerson,
      answers: {
        200: Type.Object(
          { data: Type.Array(sessionSchema) },
          { title: 'Sessions', examples: [{ data: [sessionExample] }] },
        ),
      },
    },
    async (ctx) => {
      const rows = await system(app.db, 'list sessions', (tx) => selectSessions(tx, ctx.actor.id!));
      return { status: 200, body: { data: rows.map((row) => presentSession(row, ctx)) } };
    },
  ),
  route(
    {
      method: 'DELETE',
      path: '/v1/api/sessions',
      operation: 'sessions.endOthers',
      summary: 'End all your other sessions',
      ...byPerson,
      answers: { 200: Type.Object({ ended: Type.Integer() }, { title: 'EndedSessions', examples: [{ ended: 2 }] }) },
    },
    async (ctx) => ({ status: 200, body: { ended: await endOtherSessions(app.db, ctx, ctx.credentialId!) } }),
  ),
  route(
    {
      method: 'DELETE',
      path: '/v1/api/sessions/{id}',
      operation: 'sessions.end',
      summary: 'End one of your sessions',
      ...byPerson,
      params: Type.Object({ id: Type.String() }),
      answers: { 204: null },
    },
    async (ctx, { params: { id } }) => {
      await endSession(app.db, ctx, id, 'ended_by_user');
      return { status: 204 };
    },
  ),
  route(
    {
      method: 'DELETE',
      path: '/v1/api/session',
      operation: 'session.end',
      summary: 'Sign out',
      ...byPerson,
      bound: true,
      answers: { 204: null },
    },
    async (ctx) => {
      await endSession(app.db, ctx, ctx.credentialId!, 'signed_out');
      return { status: 204, headers: { 'set-cookie': [noSession] } };
    },
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/session/reauthentication',
      operation: 'session.reauthenticate',
      summary: 'Prove once more who you are',
      description:
        'What is sensitive is refused as reauthentication_required unless its user proved within 10 minutes who they are. Sets a new cookie of the session; the old one is no longer good.',
      ...byPerson,
      bound: true,
      body: Type.Object(
        { password: passwordText, code: Type.Optional(codeText) },
        {
          title: 'ReauthenticationRequest',
          additionalProperties: false,
          examples: [{ password: 'three words and a river' }],
        },
      ),
      problems: ['sign_in_failed'],
      answers: { 204: null },
    },
    async (ctx, { body }) => ({
      status: 204,
      headers: { 'set-cookie': [await reauthenticate(app, ctx, body)] },
    }),
  ),
];
