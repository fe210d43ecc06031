import { Type } from 'typebox';
import { system } from '../../access/transactions.ts';
import { answerOf } from '../../api/named.ts';
import { type Route, route } from '../../api/route.ts';
import type { App } from '../app.ts';
import { describeFactor } from './check.ts';
import { beginTotp, confirmTotp, removeTotp, renewCodes } from './enrol.ts';

const byPerson = { access: 'user', scope: 'user', channels: ['dashboard'] } as const;
const codesExample = { recovery_codes: ['k3nm-p7qa-8xre-w2hd'] };
const codesSchema = answerOf('RecoveryCodes', codesExample, {
  recovery_codes: Type.Array(Type.String(), { description: 'Each is good once. Shown here and never again.' }),
});
const factorSchema = answerOf(
  'SecondFactor',
  { totp: true, recovery_codes_left: 9 },
  {
    totp: Type.Boolean({ description: 'Whether an app is set up.' }),
    recovery_codes_left: Type.Integer(),
  },
);
const secretSchema = answerOf(
  'TotpSecret',
  {
    secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    uri: 'otpauth://totp/Lastro:ana@company.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Lastro',
  },
  {
    secret: Type.String({ description: 'In base 32, to be typed into an app.' }),
    uri: Type.String({ description: 'The same, to be shown as a picture that an app reads.' }),
  },
);

export const secondFactorRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/user/second-factor',
      operation: 'secondFactor.get',
      summary: 'Your second factor',
      ...byPerson,
      answers: { 200: factorSchema },
    },
    async (ctx) => ({
      status: 200,
      body: await system(app.db, 'get factor', (tx) => describeFactor(tx, ctx.actor.id!)),
    }),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/user/second-factor/totp',
      operation: 'secondFactor.createTotp',
      summary: 'Begin to set up an app for codes (TOTP)',
      description: 'It counts once a code of it has confirmed it.',
      ...byPerson,
      fresh: true,
      problems: ['conflict'],
      answers: { 201: secretSchema },
    },
    async (ctx) => ({ status: 201, body: await beginTotp(app, ctx) }),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/user/second-factor/totp/confirmation',
      operation: 'secondFactor.confirmTotp',
      summary: 'Confirm the app with a code that it shows',
      ...byPerson,
      body: Type.Object(
        { code: Type.String({ maxLength: 50 }) },
        { title: 'TotpConfirmation', additionalProperties: false, examples: [{ code: '123456' }] },
      ),
      problems: ['conflict', 'code_invalid'],
      answers: { 200: codesSchema },
    },
    async (ctx, { body: { code } }) => ({ status: 200, body: { recovery_codes: await confirmTotp(app, ctx, code) } }),
  ),
  route(
    {
      method: 'DELETE',
      path: '/v1/api/user/second-factor/totp',
      operation: 'secondFactor.removeTotp',
      summary: 'Take the app off your account',
      ...byPerson,
      fresh: true,
      problems: ['conflict', 'second_factor_required', 'break_glass_required'],
      answers: { 204: null },
    },
    async (ctx) => {
      await removeTotp(app, ctx);
      return { status: 204 };
    },
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/user/second-factor/recovery-codes',
      operation: 'secondFactor.createRecoveryCodes',
      summary: 'Make new recovery codes; the old ones are no longer good',
      ...byPerson,
      fresh: true,
      problems: ['conflict'],
      answers: { 201: codesSchema },
    },
    async (ctx) => ({ status: 201, body: { recovery_codes: await renewCodes(app, ctx) } }),
  ),
];
