import { Type } from 'typebox';
import { requireOrigin } from '../../access/credentials/session.ts';
import { openRoute, type Route, route } from '../../api/route.ts';
import type { App } from '../app.ts';
import { passwordText } from '../passwords/password.ts';
import { emailLengthMax } from '../users/email.ts';
import { changePassword } from './change-password.ts';
import { confirmReset, requestReset } from './reset-password.ts';

export const passwordRoutes = (app: App): Route[] => [
  openRoute(
    {
      method: 'POST',
      path: '/v1/api/password-resets',
      operation: 'passwordResets.create',
      summary: 'Ask for a mail with which to choose a new password',
      description: 'The answer is the same whether the address has an account or not.',
      access: 'public',
      body: Type.Object(
        { email: Type.String({ maxLength: emailLengthMax }) },
        { title: 'PasswordResetRequest', additionalProperties: false, examples: [{ email: 'ana@company.com' }] },
      ),
      problems: ['rate_limited', 'cross_origin'],
      answers: { 202: null },
    },
    async (_, { body: { email }, exchange }) => {
      requireOrigin(exchange, app.publicUrl(), true);
      await requestReset(app, exchange, email);
      return { status: 202 };
    },
  ),
  openRoute(
    {
      method: 'POST',
      path: '/v1/api/password-resets/confirmation',
      operation: 'passwordResets.confirm',
      summary: 'Choose a new password with the token of the mail',
      description: 'All sessions end; API keys stay. A token is good once, for an hour, until a newer one is sent.',
      access: 'public',
      body: Type.Object(
        { token: Type.String({ maxLength: 100 }), password: passwordText },
        {
          title: 'PasswordResetConfirmation',
          additionalProperties: false,
          examples: [{ token: 'lso_…', password: 'three words and a river' }],
        },
      ),
      problems: ['token_invalid', 'weak_password', 'rate_limited', 'cross_origin'],
      answers: { 204: null },
    },
    async (_, { body: { token, password }, exchange }) => {
      requireOrigin(exchange, app.publicUrl(), true);
      await confirmReset(app, exchange, token, password);
      return { status: 204 };
    },
  ),
  route(
    {
      method: 'PUT',
      path: '/v1/api/user/password',
      operation: 'user.setPassword',
      summary: 'Change your password',
      description: 'Your other sessions end; API keys stay.',
      ...{ access: 'user', scope: 'user', channels: ['dashboard'], fresh: true },
      body: Type.Object(
        { password: passwordText },
        { title: 'NewPassword', additionalProperties: false, examples: [{ password: 'three words and a river' }] },
      ),
      problems: ['weak_password'],
      answers: { 204: null },
    },
    async (ctx, { body: { password } }) => {
      await changePassword(app, ctx, password);
      return { status: 204 };
    },
  ),
];
