/** Organizations whose people sign in at a provider; test support. */
import { expect } from 'vitest';
import type { Config } from '../../src/config.ts';
import { type Network, readNetwork } from '../../src/lib/http/networks.ts';
import { setFeature } from '../../src/resources/organizations/features.ts';
import type { Dns } from '../dns.ts';
import { type Reply, startTestService, type TestService } from '../service.ts';
import { type Browser, openBrowser, type Person, signUp } from './browser.ts';
import type { SamlPost } from './peers/web-walk.ts';
import { enrol } from './totp.ts';

export type Organization = Person & {
  readonly organization: string;
  readonly workspace: string;
  /** Of its first Creator, `name-company.example`, which is proved. */
  readonly domain: string;
  /** Of the app of its first Creator, a break-glass admin. */
  readonly secret: string;
};

export const ssoPath = '/v1/api/organization/sso-connections';

/** A service that reaches the providers of tests, and asks their DNS server. */
export function startWithProviders(dns: Dns, overrides: Partial<Config> = {}): Promise<TestService> {
  const outboundPrivateNetworks = [readNetwork('127.0.0.1') as Network];
  return startTestService({ dnsServers: [dns.address], outboundPrivateNetworks, ...overrides });
}

/** Switches single sign-on on for an organization, as the operator does. */
export const switchOn = ({ service }: TestService, organization: string) =>
  setFeature(service.app.db, organization, 'sso', true);

/** Signs an organization up whose domain is proved and whose Creator is a break-glass admin. */
export async function signUpWithDomain(service: TestService, dns: Dns, name: string): Promise<Organization> {
  const person = await signUp(service, name);
  const { browser, id } = person;
  await switchOn(service, person.organization);
  const { secret } = await enrol(service, browser);
  expectStatus(await browser.send('PUT', `/v1/api/organization/break-glass-admins/${id}`), 200);
  const domain = person.email.split('@')[1];
  await proveDomain(dns, browser, domain);
  return { ...person, domain, secret };
}

/** Proves a domain by the record that the service wants of it. */
export async function proveDomain(dns: Dns, browser: Browser, domain: string): Promise<string> {
  const { body } = expectStatus(await browser.post('/v1/api/organization/domains', { domain }), 201);
  dns.texts.set(body.record_name, ['v=spf1 -all', body.record_value]);
  expectStatus(await browser.post(`/v1/api/organization/domains/${body.id}/verification`), 200);
  return body.id;
}

type Oidc = { readonly issuer: string; readonly clientId: string; readonly clientSecret: string };

/** Connects an organization to a provider of OpenID Connect; returns the connection. */
export async function connectOidc({ browser }: Organization, { issuer, clientId, clientSecret }: Oidc, more = {}) {
  const asked = { name: 'Company sign-in', issuer, client_id: clientId, client_secret: clientSecret, ...more };
  const { body } = expectStatus(await browser.post(`${ssoPath}/oidc`, asked), 201);
  expectStatus(await browser.post(`${ssoPath}/${body.id}/activation`), 200);
  return body as { id: string; sign_in_url: string; oidc: { callback_url: string } };
}

type Peer = { signIn(url: string): Promise<{ callbackUrl: string }> };

/** Goes to the provider of a connection as a browser does; returns the address to which the provider sends it back. */
export async function goToProvider(
  peer: Peer,
  connection: { readonly sign_in_url: string },
  browser: Browser,
  query = '',
): Promise<string> {
  const left = expectStatus(await browser.visit(`${connection.sign_in_url}${query}`), 303);
  return (await peer.signIn(left.headers.get('location')!)).callbackUrl;
}

/** Signs whoever the provider knows in, in a browser of their own; returns the last answer. */
export async function signInBy(
  service: TestService,
  peer: Peer,
  connection: { readonly sign_in_url: string },
  { browser = openBrowser(service.url), query = '' } = {},
): Promise<{ browser: Browser; reply: Reply }> {
  return { browser, reply: await browser.visit(await goToProvider(peer, connection, browser, query)) };
}

export function expectStatus(reply: Reply, status: number): Reply {
  expect(reply.status, reply.text).toBe(status);
  return reply;
}

/** Posts an answer of a provider of SAML as a browser does from the provider's page: without any cookie of ours. */
export function postToUs(service: TestService, { acsUrl, ...fields }: SamlPost): Promise<Reply> {
  return openBrowser(service.url).send(
    'POST',
    acsUrl.replace(service.url, ''),
    new URLSearchParams(fields).toString(),
    {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'null',
      'sec-fetch-site': 'cross-site',
      cookie: null,
    },
  );
}
