/** What docs/single-sign-on.md tells a Creator to do, done against real providers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dns, openDns } from '../dns.ts';
import type { Reply, TestService } from '../service.ts';
import { type Browser, goodPassword, openBrowser, signUp } from './browser.ts';
import { expectStatus, postToUs, signInBy, startWithProviders, switchOn } from './organizations.ts';
import { type OidcPeer, openOidcProvider } from './peers/oidc-provider.ts';
import { openSamlIdp, type SamlPeer } from './peers/saml-idp.ts';
import { codeOf, enrol, forgetCodes } from './totp.ts';

let service: TestService;
let dns: Dns;
let oidc: OidcPeer;
let saml: SamlPeer;
beforeAll(async () => {
  [dns, oidc, saml] = await Promise.all([openDns(), openOidcProvider([]), openSamlIdp()]);
  service = await startWithProviders(dns);
});
afterAll(() => Promise.all([service.close(), dns.close(), oidc.close(), saml.close()]));

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'single-sign-on.md'), 'utf8');

type Request = { readonly method: string; readonly path: string; readonly body: string | undefined };

/** The commands of the page, as the requests that they send. */
const requests: readonly Request[] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => {
  const command = block.replaceAll('\\\n', ' ');
  const path = /"\$LASTRO(\/[^"]*)"/.exec(command)![1];
  const body = /-d '([^']*)'/.exec(command)?.[1];
  return { method: /-X (\w+)/.exec(command)?.[1] ?? 'POST', path, body };
});

test('the commands of the page lead to members who sign in at their provider alone', async () => {
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v1/api/sessions',
    'POST /v1/api/organization/domains',
    'POST /v1/api/organization/domains/$DOMAIN/verification',
    'PUT /v1/api/organization/break-glass-admins/$PERSON',
    'POST /v1/api/organization/sso-connections/oidc',
    'POST /v1/api/organization/sso-connections/saml',
    'POST /v1/api/organization/sso-connections/$CONNECTION/activation',
    'POST /v1/api/sessions/sso',
    'PATCH /v1/api/organization',
  ]);
  const ana = await signUp(service, 'Reader');
  const domain = ana.email.split('@')[1];
  const names: Record<string, string> = { PERSON: ana.id };
  const metadata = await (await fetch(saml.metadataUrl)).text();
  /** Sends a command of the page, with what is the reader's own in it. */
  const send = (at: number, browser: Browser, own: Record<string, unknown> = {}): Promise<Reply> => {
    const { method, path, body } = requests[at];
    const asked = body === undefined ? undefined : { ...JSON.parse(body), ...own };
    if (asked) expect(Object.keys(asked).sort()).toEqual(Object.keys(JSON.parse(body!)).sort());
    return browser.send(
      method,
      path.replace(/\$(\w+)/g, (_, name: string) => names[name]),
      asked,
    );
  };

  await switchOn(service, ana.organization);
  const browser = openBrowser(service.url);
  expectStatus(await send(0, browser, { email: ana.email, password: goodPassword }), 201);
  const named = expectStatus(await send(1, browser, { domain }), 201).body;
  names.DOMAIN = named.id;
  dns.texts.set(named.record_name, [named.record_value]);
  expectStatus(await send(2, browser), 200);
  const { secret } = await enrol(service, browser);
  expect(expectStatus(await send(3, browser), 200).body.ready).toBe(true);

  const secrets = { issuer: oidc.issuer, client_id: oidc.clientId, client_secret: oidc.clientSecret };
  const connected = expectStatus(await send(4, browser, secrets), 201).body;
  oidc.redirectUris.add(connected.oidc.callback_url);
  names.CONNECTION = connected.id;
  expectStatus(await send(6, browser), 200);
  const { url } = expectStatus(await send(7, openBrowser(service.url), { email: `ben@${domain}` }), 200).body;
  expect(url).toBe(connected.sign_in_url);
  oidc.account = { sub: 'ben', email: `ben@${domain}`, email_verified: true, name: 'Ben' };
  const ben = await signInBy(service, oidc, connected);
  expectStatus(await ben.browser.get('/v1/api/members'), 200);

  const second = expectStatus(await send(5, browser, { metadata }), 201).body;
  names.CONNECTION = second.id;
  expectStatus(await send(6, browser), 200);
  const found = await send(7, openBrowser(service.url), { email: `ben@${domain}` });
  expect(found.body.url).toBe(second.sign_in_url);
  saml.account = { nameId: 'cora', attributes: { mail: `cora@${domain}` } };
  const cora = openBrowser(service.url);
  const left = expectStatus(await cora.visit(second.sign_in_url), 303);
  const posted = await postToUs(service, await saml.signIn(left.headers.get('location')!));
  expectStatus(await cora.visit(posted.headers.get('location')!), 303);
  expectStatus(await cora.get('/v1/api/members'), 200);

  expectStatus(await send(8, browser), 200);
  const own = await openBrowser(service.url).post('/v1/api/sessions', { email: ana.email, password: 'something else' });
  expect(own.status).toBe(401);
  // The break-glass admin, with password and code.
  await forgetCodes(service);
  const asked = expectStatus(await browser.post('/v1/api/sessions', { email: ana.email, password: goodPassword }), 202);
  const proof = { token: asked.body.token, code: codeOf(secret) };
  expectStatus(await browser.post('/v1/api/sessions/second-factor', proof), 201);
  expectStatus(await browser.get('/v1/api/organization'), 200);
  expectStatus(await ben.browser.get('/v1/api/members'), 200);
});
