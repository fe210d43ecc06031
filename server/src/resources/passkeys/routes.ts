import { Type } from 'typebox';
import { requireOrigin } from '../../access/credentials/session.ts';
import { system } from '../../access/transactions.ts';
import { openRoute, type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import type { App } from '../app.ts';
import { getUser } from '../users/get.ts';
import { userSchema } from '../users/user.ts';
import { removePasskey, renamePasskey } from './change.ts';
import {
  assertionSchema,
  attestationExample,
  attestationSchema,
  creationOptionsSchema,
  passkeyExample,
  passkeySchema,
  presentPasskey,
  requestOptionsSchema,
} from './passkey.ts';
import { beginPasskeyReauthentication, reauthenticateByPasskey } from './reauthenticate.ts';
import { beginRegistration, registerPasskey } from './register.ts';
import { beginPasskeySignIn, signInWithPasskey } from './sign-in.ts';
import { selectPasskeys } from './sql.ts';

const byPerson = { access: 'user', scope: 'user', channels: ['dashboard'] } as const;
const params = Type.Object({ id: Type.String() });

export const passkeyRoutes = (app: App): Route[] => [...ownRoutes(app), ...signInRoutes(app)];

const ownRoutes = (app: App): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v1/api/user/passkeys/options',
      operation: 'passkeys.createOptions',
      summary: 'Begin to register a passkey',
      description:
        'Give the answer to `navigator.credentials.create` (by `PublicKeyCredential.parseCreationOptionsFromJSON`), and register within five minutes what it makes.',
      ...byPerson,
      fresh: true,
      problems: ['limit_exceeded'],
      answers: { 201: creationOptionsSchema },
    },
    async (ctx) => ({ status: 201, body: await beginRegistration(app, ctx) }),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/user/passkeys',
      operation: 'passkeys.create',
      summary: 'Register the passkey that an authenticator has made',
      description: 'It signs you in from now on, in place of password and second factor. A mail tells you.',
      ...byPerson,
      body: Type.Object(
        { name: shortText('By which you know it, such as that of the device.'), credential: attestationSchema },
        {
          ...{ title: 'PasskeyRequest', additionalProperties: false },
          examples: [{ name: 'laptop', credential: attestationExample }],
        },
      ),
      problems: ['token_invalid', 'passkey_invalid', 'conflict'],
      answers: { 201: passkeySchema },
    },
    async (ctx, { body }) => ({ status: 201, body: presentPasskey(await registerPasskey(app, ctx, body)) }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/user/passkeys',
      operation: 'passkeys.list',
      summary: 'Your passkeys, newest first',
      ...byPerson,
      answers: {
        200: Type.Object(
          { data: Type.Array(passkeySchema) },
          { title: 'Passkeys', examples: [{ data: [passkeyExample] }] },
        ),
      },
    },
    async (ctx) => {
      const rows = await system(app.db, 'list passkeys', (tx) => selectPasskeys(tx, ctx.actor.id!));
      return { status: 200, body: { data: rows.map(presentPasskey) } };
    },
  ),
  route(
    {
      method: 'PATCH',
      path: '/v1/api/user/passkeys/{id}',
      operation: 'passkeys.rename',
      summary: 'Rename one of your passkeys',
      ...byPerson,
      params,
      body: Type.Object(
        { name: shortText() },
        { title: 'PasskeyChange', additionalProperties: false, examples: [{ name: 'old laptop' }] },
      ),
      answers: { 200: passkeySchema },
    },
    async (ctx, { params: { id }, body: { name } }) => ({
      status: 200,
      body: presentPasskey(await renamePasskey(app, ctx, id, name)),
    }),
  ),
  route(
    {
      method: 'DELETE',
      path: '/v1/api/user/passkeys/{id}',
      operation: 'passkeys.delete',
      summary: 'Delete one of your passkeys',
      description: 'It signs nobody in any more. A mail tells you. Sessions that it began go on.',
      ...byPerson,
      fresh: true,
      params,
      problems: ['second_factor_required'],
      answers: { 204: null },
    },
    async (ctx, { params: { id } }) => {
      await removePasskey(app, ctx, id);
      return { status: 204 };
    },
  ),
];

const signInRoutes = (app: App): Route[] => [
  openRoute(
    {
      method: 'POST',
      path: '/v1/api/sessions/passkey/options',
      operation: 'sessions.createPasskeyOptions',
      summary: 'Begin to sign in with a passkey',
      description:
        'Give the answer to `navigator.credentials.get` (by `PublicKeyCredential.parseRequestOptionsFromJSON`). Whose passkey it will be is not asked.',
      access: 'public',
      problems: ['rate_limited', 'cross_origin'],
      answers: { 201: requestOptionsSchema },
    },
    async (_, { exchange }) => {
      requireOrigin(exchange, app.publicUrl(), true);
      return { status: 201, body: await beginPasskeySignIn(app, exchange) };
    },
  ),
  openRoute(
    {
      method: 'POST',
      path: '/v1/api/sessions/passkey',
      operation: 'sessions.createWithPasskey',
      summary: 'Sign in with what a passkey has signed',
      description: 'It stands for password and second factor. Sets the cookies of the session and of the device.',
      access: 'public',
      body: assertionSchema,
      problems: ['sso_required', 'token_invalid', 'sign_in_failed', 'rate_limited', 'cross_origin'],
      answers: { 201: userSchema },
    },
    async (_, { body, exchange }) => {
      requireOrigin(exchange, app.publicUrl(), true);
      const { cookies, userId } = await signInWithPasskey(app, exchange, body);
      return { status: 201, headers: { 'set-cookie': cookies }, body: await getUser(app.db, userId) };
    },
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/session/reauthentication/passkey/options',
      operation: 'session.createPasskeyOptions',
      summary: 'Begin to prove once more who you are, by one of your passkeys',
      ...byPerson,
      bound: true,
      problems: ['conflict'],
      answers: { 201: requestOptionsSchema },
    },
    async (ctx) => ({ status: 201, body: await beginPasskeyReauthentication(app, ctx) }),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/session/reauthentication/passkey',
      operation: 'session.reauthenticateByPasskey',
      summary: 'Prove once more who you are, with what one of your passkeys has signed',
      description:
        'Sets a new cookie of the session; the old one is no longer good. A session that began by password alone counts from now on as one with a second factor.',
      ...byPerson,
      bound: true,
      body: assertionSchema,
      problems: ['token_invalid', 'sign_in_failed'],
      answers: { 204: null },
    },
    async (ctx, { body }) => ({
      status: 204,
      headers: { 'set-cookie': [await reauthenticateByPasskey(app, ctx, body)] },
    }),
  ),
];
