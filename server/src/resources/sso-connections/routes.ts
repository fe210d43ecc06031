import { type TProperties, Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { nullable } from '../../api/nullable.ts';
import { listRoute } from '../../api/read-routes.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { refuse } from '../../errors.ts';
import { certificatesMax } from '../../lib/saml/metadata.ts';
import type { App } from '../app.ts';
import { activateConnection } from './activate.ts';
import { changeConnection, deactivateConnection, deleteConnection } from './change.ts';
import { connectionSchema, defaultRoleSchema, presentConnection } from './connection.ts';
import { createOidc, createSaml } from './create.ts';
import { type ConnectionRow, selectConnection, selectConnections } from './sql.ts';

const path = '/v1/api/organization/sso-connections';
const byPerson = { access: 'manage_members', scope: 'organization', channels: ['dashboard'] } as const;
const params = Type.Object({ id: Type.String() });
const addressMax = 2_000;
const metadataMax = 200_000;
const certificateMax = 20_000;

const address = (description: string) => Type.String({ maxLength: addressMax, description });
const secret = Type.String({ minLength: 1, maxLength: 1_000, description: 'Kept sealed, and never shown again.' });
const certificates = Type.Array(Type.String({ maxLength: certificateMax }), {
  minItems: 1,
  maxItems: certificatesMax,
  description: 'X.509, as PEM or its base64. While the provider changes its certificate, the old and the new one.',
});
const asked = {
  name: shortText(),
  default_role: Type.Optional(defaultRoleSchema),
  default_workspace_id: Type.Optional(nullable(shortText('Where they get it; by default in all workspaces.'))),
};

const body = <P extends TProperties>(title: string, properties: P, example: unknown) =>
  Type.Object(properties, { title, additionalProperties: false, examples: [example] });

const oidcRequest = body(
  'OidcConnectionRequest',
  {
    ...asked,
    issuer: address('As the provider spells it, such as https://login.company.com.'),
    client_id: shortText(),
    client_secret: secret,
  },
  { name: 'Company sign-in', issuer: 'https://login.company.com', client_id: 'lastro', client_secret: '…' },
);
const samlRequest = body(
  'SamlConnectionRequest',
  {
    ...asked,
    metadata: Type.Optional(
      Type.String({ maxLength: metadataMax, description: 'Of the provider, as XML. Or the other three fields.' }),
    ),
    issuer: Type.Optional(address('The entity id of the provider.')),
    sso_url: Type.Optional(address('Where it takes requests (HTTP-Redirect).')),
    certificates: Type.Optional(certificates),
  },
  {
    name: 'Company sign-in',
    issuer: 'https://login.company.com/saml',
    sso_url: 'https://login.company.com/saml/sso',
    certificates: ['-----BEGIN CERTIFICATE-----…'],
  },
);
const changeRequest = body(
  'SsoConnectionChange',
  {
    ...asked,
    name: Type.Optional(asked.name),
    client_id: Type.Optional(shortText('Of OpenID Connect.')),
    client_secret: Type.Optional(secret),
    sso_url: Type.Optional(address('Of SAML.')),
    certificates: Type.Optional(certificates),
  },
  { name: 'Company sign-in' },
);

export const ssoConnectionRoutes = (app: App): Route[] => {
  const present = (row: ConnectionRow) => presentConnection(row, app.publicUrl());
  return [
    listRoute(app, {
      ...{ path, list: 'sso-connections', operation: 'ssoConnections.list' },
      summary: 'Connections to identity providers, newest first',
      ...{ ...byPerson, schema: connectionSchema, selectPage: selectConnections, present },
    }),
    route(
      {
        method: 'GET',
        path: `${path}/{id}`,
        operation: 'ssoConnections.get',
        summary: 'A connection to an identity provider',
        ...{ ...byPerson, params, answers: { 200: connectionSchema } },
      },
      async (ctx, { params: { id } }) => {
        const row = await tenant(app.db, ctx, (tx) => selectConnection(tx, ctx, id));
        if (!row) throw refuse('not_found', `there is no connection ${id}`);
        return { status: 200, body: present(row) };
      },
    ),
    route(
      {
        method: 'POST',
        path: `${path}/oidc`,
        operation: 'ssoConnections.createOidc',
        summary: 'Add a connection to a provider of OpenID Connect',
        description: 'It is inactive at first: tell the provider the callback_url of the answer, then activate it.',
        ...{
          ...byPerson,
          fresh: true,
          body: oidcRequest,
          problems: ['feature_disabled', 'not_found'],
          answers: { 201: connectionSchema },
        },
      },
      async (ctx, { body }) => ({ status: 201, body: present(await createOidc(app, ctx, body)) }),
    ),
    route(
      {
        method: 'POST',
        path: `${path}/saml`,
        operation: 'ssoConnections.createSaml',
        summary: 'Add a connection to a provider of SAML 2.0',
        description:
          'It is inactive at first: tell the provider the entity_id and acs_url of the answer, then activate it.',
        ...{
          ...byPerson,
          fresh: true,
          body: samlRequest,
          problems: ['feature_disabled', 'not_found'],
          answers: { 201: connectionSchema },
        },
      },
      async (ctx, { body }) => ({ status: 201, body: present(await createSaml(app, ctx, body)) }),
    ),
    route(
      {
        method: 'PATCH',
        path: `${path}/{id}`,
        operation: 'ssoConnections.update',
        summary: 'Change a connection',
        description: 'The issuer cannot be changed: add another connection.',
        ...{ ...byPerson, fresh: true, params, body: changeRequest, answers: { 200: connectionSchema } },
      },
      async (ctx, { params: { id }, body }) => ({
        status: 200,
        body: present(await changeConnection(app, ctx, id, body)),
      }),
    ),
    route(
      {
        method: 'POST',
        path: `${path}/{id}/activation`,
        operation: 'ssoConnections.activate',
        summary: 'Let people sign in through a connection',
        description:
          'A provider of OpenID Connect is asked what it publishes. The organization must have a break-glass admin who could sign in.',
        ...{ ...byPerson, fresh: true, params, answers: { 200: connectionSchema } },
        problems: [
          'conflict',
          'feature_disabled',
          'break_glass_required',
          'sso_refused',
          'outbound_refused',
          'outbound_failed',
        ],
      },
      async (ctx, { params: { id } }) => ({ status: 200, body: present(await activateConnection(app, ctx, id)) }),
    ),
    route(
      {
        method: 'POST',
        path: `${path}/{id}/deactivation`,
        operation: 'ssoConnections.deactivate',
        summary: 'Let nobody sign in through a connection any more',
        description: 'Sessions that came through it end.',
        ...{ ...byPerson, fresh: true, params, problems: ['conflict'], answers: { 200: connectionSchema } },
      },
      async (ctx, { params: { id } }) => ({ status: 200, body: present(await deactivateConnection(app, ctx, id)) }),
    ),
    route(
      {
        method: 'DELETE',
        path: `${path}/{id}`,
        operation: 'ssoConnections.delete',
        summary: 'Delete a connection',
        description: 'Sessions that came through it end; people who sign in through another one are known anew by it.',
        ...{ ...byPerson, fresh: true, params, problems: ['conflict'], answers: { 204: null } },
      },
      async (ctx, { params: { id } }) => {
        await deleteConnection(app, ctx, id);
        return { status: 204 };
      },
    ),
  ];
};
