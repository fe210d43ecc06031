import { Type } from 'typebox';
import { listRoute } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import type { App } from '../app.ts';
import { createDomain } from './create.ts';
import { deleteDomain } from './delete.ts';
import { domainLengthMax, domainSchema, presentDomain } from './domain.ts';
import { selectDomains } from './sql.ts';
import { verifyDomain } from './verify.ts';

const path = '/v1/api/organization/domains';
const byPerson = { access: 'manage_members', scope: 'organization', channels: ['dashboard'] } as const;
const params = Type.Object({ id: Type.String() });

export const domainRoutes = (app: App): Route[] => [
  listRoute(app, {
    ...{ path, list: 'domains', operation: 'domains.list' },
    summary: 'Domains of the organization, newest first',
    ...{ ...byPerson, schema: domainSchema, selectPage: selectDomains, present: presentDomain },
  }),
  route(
    {
      method: 'POST',
      path,
      operation: 'domains.create',
      summary: 'Name a domain of the organization',
      description:
        'The answer says which TXT record the DNS must have. Once it is proved, people of the domain may sign in by single sign-on. A domain of free mail, and one above or below a proved domain of another organization, is refused.',
      ...byPerson,
      fresh: true,
      body: Type.Object(
        { domain: Type.String({ maxLength: domainLengthMax + 1 }) },
        { title: 'DomainRequest', additionalProperties: false, examples: [{ domain: 'company.com' }] },
      ),
      problems: ['personal_address', 'domain_taken', 'name_taken'],
      answers: { 201: domainSchema },
    },
    async (ctx, { body }) => ({ status: 201, body: presentDomain(await createDomain(app, ctx, body.domain)) }),
  ),
  route(
    {
      method: 'POST',
      path: `${path}/{id}/verification`,
      operation: 'domains.verify',
      summary: 'Prove a domain by its record in the DNS',
      ...byPerson,
      params,
      problems: ['domain_not_proved', 'domain_taken'],
      answers: { 200: domainSchema },
    },
    async (ctx, { params: { id } }) => ({ status: 200, body: presentDomain(await verifyDomain(app, ctx, id)) }),
  ),
  route(
    {
      method: 'DELETE',
      path: `${path}/{id}`,
      operation: 'domains.delete',
      summary: 'Delete a domain of the organization',
      description: 'People of the domain no longer sign in by single sign-on, and may sign in by password again.',
      ...byPerson,
      fresh: true,
      params,
      answers: { 204: null },
    },
    async (ctx, { params: { id } }) => {
      await deleteDomain(app.db, ctx, id);
      return { status: 204 };
    },
  ),
];
