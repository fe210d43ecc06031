import { Type } from 'typebox';
import { requireOrigin } from '../../access/credentials/session.ts';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { openRoute, type Route } from '../../api/route.ts';
import { formBytesMax, formFieldsMax } from '../../lib/http/form.ts';
import { bytesMax } from '../../lib/http/size-bounds.ts';
import type { App } from '../app.ts';
import { emailLengthMax } from '../users/email.ts';
import { endSaml, takeSaml } from './acs.ts';
import { beginSignIn, findSignIn } from './begin.ts';
import { endOidc } from './callback.ts';
import { metadataOf } from './metadata.ts';
import type { SignedIn } from './sign-in-as.ts';

const path = '/v1/api/sso-connections/{id}';
const params = Type.Object({ id: Type.String() });
const signInSchema = answerOf(
  'SingleSignOn',
  { url: 'https://lastro.example.com/v1/api/sso-connections/sso_019f2e0c51b27c4e8a5d6f7a8b9c0d1e/sign-in' },
  {
    url: nullable(
      Type.String({
        description: 'Where the browser goes to sign in. Null: people of the domain of this address sign in here.',
      }),
    ),
  },
);
/** Addresses here have secrets in them that no other page may learn. */
const quiet = { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' };

export const singleSignOnRoutes = (app: App): Route[] => [
  openRoute(
    {
      method: 'POST',
      path: '/v1/api/sessions/sso',
      operation: 'sessions.findSso',
      summary: 'Find where people of a mail address sign in by single sign-on',
      description: 'It depends on the domain of the address alone, not on whether there is such an account.',
      access: 'public',
      body: Type.Object(
        { email: Type.String({ maxLength: emailLengthMax }) },
        { title: 'SingleSignOnRequest', additionalProperties: false, examples: [{ email: 'ana@company.com' }] },
      ),
      problems: ['rate_limited', 'cross_origin'],
      answers: { 200: signInSchema },
    },
    async (_, { body: { email }, exchange }) => {
      requireOrigin(exchange, app.publicUrl(), true);
      return { status: 200, body: { url: await findSignIn(app, exchange, email) } };
    },
  ),
  openRoute(
    {
      method: 'GET',
      path: `${path}/sign-in`,
      operation: 'ssoConnections.beginSignIn',
      summary: 'Go to the identity provider to sign in',
      description: 'For a browser: sets a cookie, by which it is known when it comes back within ten minutes.',
      access: 'public',
      params,
      query: Type.Object({
        return_to: Type.Optional(
          Type.String({ description: 'A path of the service to go to in the end: / by default.' }),
        ),
        reauthenticate: Type.Optional(
          Type.Boolean({ description: 'true has the person prove there anew who they are, for what is sensitive.' }),
        ),
      }),
      problems: ['rate_limited', 'sso_refused', 'outbound_refused', 'outbound_failed'],
      answers: { 303: null },
    },
    async (_, { params: { id }, query: { return_to: returnTo, reauthenticate: anew = false }, exchange }) => {
      const { url, cookies } = await beginSignIn(app, exchange, id, { returnTo, anew });
      return { status: 303, headers: { location: url, 'set-cookie': cookies, ...quiet } };
    },
  ),
  openRoute(
    {
      method: 'GET',
      path: `${path}/callback`,
      operation: 'ssoConnections.endOidc',
      summary: 'Come back from a provider of OpenID Connect, and be signed in',
      access: 'public',
      params,
      // What else the provider adds is left to the library that reads the answer.
      query: Type.Object({ state: Type.Optional(Type.String()) }, { additionalProperties: Type.String() }),
      problems: ['token_invalid', 'rate_limited', 'sso_refused', 'outbound_refused', 'outbound_failed'],
      answers: { 303: null },
    },
    async (_, { params: { id }, exchange }) =>
      signedIn(await endOidc(app, exchange, id, new URL(exchange.url, app.publicUrl()).searchParams)),
  ),
  openRoute(
    {
      method: 'POST',
      path: `${path}/acs`,
      operation: 'ssoConnections.receiveSaml',
      summary: 'Take the answer of a provider of SAML (assertion consumer service)',
      description:
        'For a browser that the provider has post it: it is sent on to end the sign-in with its own cookies.',
      access: 'public',
      form: true,
      params,
      body: Type.Object(
        {
          SAMLResponse: Type.String({ maxLength: formBytesMax }),
          RelayState: Type.Optional(Type.String({ maxLength: 200 })),
        },
        {
          ...{ title: 'SamlAnswer', maxProperties: formFieldsMax, [bytesMax]: formBytesMax },
          examples: [{ SAMLResponse: 'PHNhbWxwOlJlc3BvbnNl…', RelayState: 'lso_…' }],
        },
      ),
      problems: ['token_invalid', 'rate_limited', 'sso_refused'],
      answers: { 303: null },
    },
    async (_, { params: { id }, body: { SAMLResponse: response, RelayState: relayState = '' }, exchange }) => ({
      status: 303,
      headers: { location: await takeSaml(app, exchange, id, { response, relayState }), ...quiet },
    }),
  ),
  openRoute(
    {
      method: 'GET',
      path: `${path}/completion`,
      operation: 'ssoConnections.endSaml',
      summary: 'Be signed in after the answer of a provider of SAML',
      access: 'public',
      params,
      query: Type.Object({ ticket: Type.String({ maxLength: 100 }) }),
      problems: ['token_invalid', 'rate_limited', 'sso_refused'],
      answers: { 303: null },
    },
    async (_, { params: { id }, query: { ticket }, exchange }) => signedIn(await endSaml(app, exchange, id, ticket)),
  ),
  openRoute(
    {
      method: 'GET',
      path: `${path}/metadata`,
      operation: 'ssoConnections.getMetadata',
      summary: 'What a provider of SAML must know about this service, as metadata',
      access: 'public',
      params,
      produces: 'application/samlmetadata+xml',
      example: '<?xml version="1.0"?>\n<EntityDescriptor …',
      answers: { 200: null },
    },
    async (_, { params: { id } }) => ({
      status: 200,
      headers: { 'content-type': 'application/samlmetadata+xml' },
      body: await metadataOf(app, id),
    }),
  ),
];

function signedIn({ returnTo, cookies }: SignedIn) {
  return { status: 303, headers: { location: returnTo, 'set-cookie': cookies, ...quiet } };
}
