/** An organization in which every act is done once; test support. */
import { expect } from 'vitest';
import type { Dns } from '../dns.ts';
import { type Browser, mailTo, openBrowser } from '../identity/browser.ts';
import type { Organization } from '../identity/organizations.ts';
import type { OidcPeer } from '../identity/peers/oidc-provider.ts';
import type { Client, Reply, TestService } from '../service.ts';

export type Stage = {
  readonly service: TestService;
  readonly dns: Dns;
  readonly peer: OidcPeer;
  /** The Creator, signed in. */
  readonly creator: Organization;
  /** A key of the Creator. */
  readonly client: Client;
};

export const password = 'velvet Orbit 97 lampshade';

/** The answer to a request that must go well. */
export async function done(asked: Promise<Reply>): Promise<Reply> {
  const reply = await asked;
  expect(reply.status, reply.text).toBeLessThan(400);
  return reply;
}

/** Sends a request of the Creator to the first workspace. */
export function send({ creator }: Stage, method: string, path: string, body?: unknown): Promise<Reply> {
  return done(creator.browser.send(method, path, body, { 'lastro-workspace': creator.workspace }));
}

/** Somebody who joins the organization, or its first workspace, by an invitation. */
export async function join(
  stage: Stage,
  name: string,
  { path = '/v1/api/organization/invitations', role = 'developer' } = {},
): Promise<{ browser: Browser; id: string; email: string }> {
  const email = `${name}@${stage.creator.domain}`;
  await send(stage, 'POST', path, { email, role });
  const { token } = await mailTo(stage.service, email, /invit/i);
  const browser = openBrowser(stage.service.url);
  const { body } = await done(browser.post('/v1/api/invitations/account', { token, name, password }));
  return { browser, id: body.id, email };
}
