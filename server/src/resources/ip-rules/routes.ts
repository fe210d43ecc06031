import { Type } from 'typebox';
import type { RuleChannel } from '../../access/ip-rules.ts';
import { tenant } from '../../access/transactions.ts';
import { pageOf, pageQuery, readPage } from '../../api/list.ts';
import { nullable } from '../../api/nullable.ts';
import { listRoute } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import type { App } from '../app.ts';
import { createRule } from './create.ts';
import { deleteRule } from './delete.ts';
import { appliesToSchema, cidrLengthMax, presentRule, ruleSchema } from './ip-rule.ts';
import { selectRules } from './sql.ts';

const byPerson = { access: 'manage_members', channels: ['dashboard'] } as const;
const ofWorkspace = { ...byPerson, scope: 'workspace' } as const;
const ofOrganization = { ...byPerson, scope: 'organization' } as const;

const confirm = Type.Optional(
  Type.Boolean({ description: 'true if you would not come in from your address any more, and mean it.' }),
);
const keyId = shortText('A key of the workspace: the rule is for its requests alone.');
const asked = {
  cidr: Type.String({
    maxLength: cidrLengthMax,
    description: 'A network such as 203.0.113.0/24 or 2001:db8::/32, or one address.',
  }),
  applies_to: Type.Optional(appliesToSchema),
  note: Type.Optional(nullable(shortText())),
  confirm,
};

const rulesOfOrganization = Type.Object(asked, {
  ...{ title: 'OrganizationIpRuleRequest', additionalProperties: false },
  examples: [{ cidr: '203.0.113.0/24', applies_to: 'both', note: 'office' }],
});
const rulesOfWorkspace = Type.Object(
  { ...asked, api_key_id: Type.Optional(nullable(keyId)) },
  {
    ...{ title: 'IpRuleRequest', additionalProperties: false },
    examples: [{ cidr: '203.0.113.7', applies_to: 'api', note: 'nightly batches' }],
  },
);

const meaning =
  'With rules for their channel, callers come in from the networks that they name and from nowhere else; without any, from everywhere. The organization, the workspace and the key have a list each, and an address must be in all that are not empty. They hold from the next request on.';
const params = Type.Object({ id: Type.String() });

export const ipRuleRoutes = (app: App): Route[] => [...organizationRoutes(app), ...workspaceRoutes(app)];

const organizationRoutes = (app: App): Route[] => [
  listRoute(app, {
    ...{ path: '/v1/api/organization/ip-rules', list: 'ip-rules', operation: 'organizationIpRules.list' },
    summary: 'From where callers may come in, in the organization and all its workspaces, newest first',
    ...{ ...ofOrganization, schema: ruleSchema, present: presentRule },
    selectPage: (tx, ctx, before, most) => selectRules(tx, ctx, undefined, before, most),
  }),
  route(
    {
      method: 'POST',
      path: '/v1/api/organization/ip-rules',
      operation: 'organizationIpRules.create',
      summary: 'Name a network from which callers may come in, in the organization and all its workspaces',
      description: meaning,
      ...ofOrganization,
      fresh: true,
      body: rulesOfOrganization,
      problems: ['would_lock_out'],
      answers: { 201: ruleSchema },
    },
    async (ctx, { body: { cidr, applies_to, note, confirm: isConfirmed = false } }) => {
      const appliesTo = applies_to as RuleChannel | undefined;
      const row = await createRule(app.db, ctx, { cidr, appliesTo, note, isConfirmed });
      return { status: 201, body: presentRule(row) };
    },
  ),
  route(
    {
      method: 'DELETE',
      path: '/v1/api/organization/ip-rules/{id}',
      operation: 'organizationIpRules.delete',
      summary: 'Delete a rule of the organization about addresses',
      description: 'Without the last one for their channel, callers come in from everywhere.',
      ...ofOrganization,
      fresh: true,
      params,
      query: Type.Object({ confirm }),
      problems: ['would_lock_out'],
      answers: { 204: null },
    },
    async (ctx, { params: { id }, query: { confirm: isConfirmed = false } }) => {
      await deleteRule(app.db, ctx, id, isConfirmed);
      return { status: 204 };
    },
  ),
];

const workspaceRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/ip-rules',
      operation: 'ipRules.list',
      summary: 'From where callers may come in, in the workspace and with its keys, newest first',
      description: 'Without those of the organization, which hold here too.',
      ...ofWorkspace,
      query: Type.Object({
        ...pageQuery,
        api_key_id: Type.Optional(shortText('Only the rules of this key.')),
      }),
      answers: { 200: pageOf(ruleSchema) },
    },
    async (ctx, { query: { api_key_id, ...query } }) => ({
      status: 200,
      body: await readPage(
        app.keys.cursors,
        [ctx.workspaceId, 'ip-rules', api_key_id],
        query,
        (before, most) => tenant(app.db, ctx, (tx) => selectRules(tx, ctx, api_key_id, before, most)),
        presentRule,
      ),
    }),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/ip-rules',
      operation: 'ipRules.create',
      summary: 'Name a network from which callers may come in, in the workspace or with one of its keys',
      description: meaning,
      ...ofWorkspace,
      fresh: true,
      body: rulesOfWorkspace,
      problems: ['not_found', 'would_lock_out'],
      answers: { 201: ruleSchema },
    },
    async (ctx, { body: { cidr, applies_to, note, api_key_id: keyId, confirm: isConfirmed = false } }) => {
      const appliesTo = applies_to as RuleChannel | undefined;
      const row = await createRule(app.db, ctx, { cidr, appliesTo, note, keyId, isConfirmed });
      return { status: 201, body: presentRule(row) };
    },
  ),
  route(
    {
      method: 'DELETE',
      path: '/v1/api/ip-rules/{id}',
      operation: 'ipRules.delete',
      summary: 'Delete a rule of the workspace, or of one of its keys, about addresses',
      description: 'Without the last one for their channel, callers come in from everywhere.',
      ...ofWorkspace,
      fresh: true,
      params,
      query: Type.Object({ confirm }),
      problems: ['would_lock_out'],
      answers: { 204: null },
    },
    async (ctx, { params: { id }, query: { confirm: isConfirmed = false } }) => {
      await deleteRule(app.db, ctx, id, isConfirmed);
      return { status: 204 };
    },
  ),
];
