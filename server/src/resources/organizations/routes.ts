import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { answerOf } from '../../api/named.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { type OrganizationRow, selectOrganization, updateOrganization } from './sql.ts';

const example = { id: 'org_019f2e0c51b27c4e8a5d6f7a8b9c0d1e', name: 'Company', created_at: '2026-03-02T12:00:00.000Z' };
const organizationSchema = answerOf('Organization', example, {
  id: Type.String(),
  name: Type.String(),
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
      summary: 'Change the name of the organization in which you act',
      ...{ access: 'manage_members', scope: 'organization', channels: ['dashboard'] },
      body: Type.Object(
        { name: shortText() },
        { title: 'OrganizationChange', additionalProperties: false, examples: [{ name: 'Company S.A.' }] },
      ),
      answers: { 200: organizationSchema },
    },
    async (ctx, { body: { name } }) => {
      const row = await tenant(app.db, ctx, async (tx) => {
        await updateOrganization(tx, ctx, { name });
        await record(tx, ctx, 'organization-update', { type: 'organization', id: ctx.organizationId }, { name });
        return selectOrganization(tx, ctx);
      });
      return { status: 200, body: present(row) };
    },
  ),
];

function present({ created_at, ...row }: OrganizationRow) {
  return { ...row, created_at: created_at.toISOString() };
}
