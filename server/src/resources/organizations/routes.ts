import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { answerOf } from '../../api/named.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import type { App } from '../app.ts';
import { changeOrganization } from './change.ts';
import { type OrganizationRow, selectOrganization } from './sql.ts';

const example = {
  id: 'org_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  name: 'Company',
  second_factor: 'optional',
  single_sign_on: 'optional',
  created_at: '2026-03-02T12:00:00.000Z',
};
const secondFactor = Type.Union([Type.Literal('optional'), Type.Literal('required')], {
  description:
    'Whether members need a second factor. Where it is required, who has none reaches their own account alone, and their keys are refused.',
});
const singleSignOn = Type.Union([Type.Literal('optional'), Type.Literal('required')], {
  description:
    'Whether members must sign in through a connection to an identity provider. Where it is required, who signed in otherwise reaches their own account alone, but for break-glass admins; keys are not concerned.',
});
const organizationSchema = answerOf('Organization', example, {
  id: Type.String(),
  name: Type.String(),
  second_factor: secondFactor,
  single_sign_on: singleSignOn,
  created_at: Type.String(),
});

export const organizationRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/organization',
      operation: 'organization.get',
      summary: 'The organization in which you act',
      ...{ access: 'view_members', scope: 'organization' },
      answers: { 200: organizationSchema },
    },
    async (ctx) => ({
      status: 200,
      body: present(await tenant(app.db, ctx, (tx) => selectOrganization(tx, ctx))),
    }),
  ),
  route(
    {
      method: 'PATCH',
      path: '/v1/api/organization',
      operation: 'organization.update',
      summary: 'Change name or settings of the organization in which you act',
      ...{ access: 'manage_members', scope: 'organization', channels: ['dashboard'], fresh: true },
      body: Type.Object(
        {
          name: Type.Optional(shortText()),
          second_factor: Type.Optional(secondFactor),
          single_sign_on: Type.Optional(singleSignOn),
        },
        { title: 'OrganizationChange', additionalProperties: false, examples: [{ name: 'Company S.A.' }] },
      ),
      problems: ['conflict', 'feature_disabled'],
      answers: { 200: organizationSchema },
    },
    async (ctx, { body }) => ({ status: 200, body: present(await changeOrganization(app, ctx, body)) }),
  ),
];

function present({ created_at, ...row }: OrganizationRow) {
  return { ...row, created_at: created_at.toISOString() };
}
