/** A browser as far as the API sees one: it keeps cookies, says where its page is from, and sends JSON; test support. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { checkDeclared, checkProblem } from '../problems.ts';
import type { Reply, TestService } from '../service.ts';

export type Browser = {
  readonly cookies: Map<string, string>;
  /** Lines of `set-cookie` of the last answer. */
  lastCookies: readonly string[];
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string | null>>): Promise<Reply>;
  get(path: string): Promise<Reply>;
  /** Follows a link to an address of the service from a page of somebody else, without following redirects. */
  visit(url: string): Promise<Reply>;
  post(path: string, body?: unknown): Promise<Reply>;
};

export const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0';

export function openBrowser(serviceUrl: string, inherited: ReadonlyMap<string, string> = new Map()): Browser {
  const browser: Browser = {
    cookies: new Map(inherited),
    lastCookies: [],
    async send(method, path, body, headers = {}) {
      const all = {
        origin: serviceUrl,
        'user-agent': userAgent,
        cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      };
      const kept = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
      const answer = await fetch(`${serviceUrl}${path}`, {
        method,
        redirect: 'manual',
        headers: Object.fromEntries(kept.filter(([, value]) => value !== '')),
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      browser.lastCookies = answer.headers.getSetCookie();
      for (const line of browser.lastCookies) {
        const [, name, value, rest] = /^([^=]+)=([^;]*);(.*)$/.exec(line)!;
        if (/Max-Age=0(;|$)/.test(rest)) browser.cookies.delete(name);
        else browser.cookies.set(name, value);
      }
      let parsed: unknown;
      try {
        parsed = JSON.parse(text);
      } catch {
        // Not every answer is JSON.
      }
      const reply = { status: answer.status, headers: answer.headers, text, body: parsed };
      if (answer.status >= 400) {
        checkProblem(reply);
        checkDeclared(method, path, reply);
      }
      return reply;
    },
    get: (path) => browser.send('GET', path),
    visit: (url) =>
      browser.send('GET', url.replace(serviceUrl, ''), undefined, { origin: null, 'sec-fetch-site': 'cross-site' }),
    post: (path, body) => browser.send('POST', path, body),
  };
  return browser;
}

export type Letter = { readonly to: string; readonly subject: string; readonly text: string; readonly token: string };

/** The mails that were sent to an address, the oldest first. */
export function mailsTo({ folder }: Pick<TestService, 'folder'>, address: string): Letter[] {
  let names: string[] = [];
  try {
    names = readdirSync(join(folder, 'mails')).filter((name) => name.endsWith('.eml'));
  } catch {
    // None has been sent yet.
  }
  return names
    .sort()
    .map((name) => readLetter(readFileSync(join(folder, 'mails', name), 'utf8')))
    .filter(({ to }) => to === address);
}

/** Waits for a mail to an address whose subject matches, beyond the first `seen` of them. */
export async function mailTo(service: Pick<TestService, 'folder'>, address: string, subject: RegExp, seen = 0) {
  return vi.waitUntil(() => mailsTo(service, address).filter((mail) => subject.test(mail.subject))[seen], {
    timeout: 20_000,
    interval: 20,
  });
}

function readLetter(source: string): Letter {
  const [head, body] = source.split(/\n\n([\s\S]*)/);
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  const text = /quoted-printable/i.test(header('Content-Transfer-Encoding'))
    ? Buffer.from(
        body
          .replace(/=\n/g, '')
          .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
        'latin1',
      ).toString('utf8')
    : /base64/i.test(header('Content-Transfer-Encoding'))
      ? Buffer.from(body, 'base64').toString('utf8')
      : body;
  return {
    to: header('To').replace(/[<>]/g, '').trim(),
    subject: header('Subject'),
    text,
    token: /\bls[a-z]_[0-9A-Za-z]{49}\b/.exec(text)?.[0] ?? '',
  };
}

export const goodPassword = 'velvet Orbit 97 lampshade';

export type Person = { readonly email: string; readonly browser: Browser; readonly id: string };

/** Somebody who has signed up an organization of their own, signed in. */
export async function signUp(
  service: TestService,
  name: string,
): Promise<Person & { workspace: string; organization: string }> {
  const browser = openBrowser(service.url);
  const email = `${name.toLowerCase()}@${name.toLowerCase()}-company.example`;
  const asked = { email, password: goodPassword, name, organization: `${name} Company` };
  const reply = await browser.post('/v1/api/users', asked);
  expect(reply.status, reply.text).toBe(202);
  const { token } = await mailTo(service, email, /confirm/i);
  const verified = await browser.post('/v1/api/users/verification', { token });
  expect(verified.status, verified.text).toBe(201);
  const { id, workspaces, organizations } = verified.body;
  return { email, browser, id, workspace: workspaces[0].id, organization: organizations[0].id };
}

/** Signs somebody in, in a browser of their own or a new one. */
export async function signIn(
  service: TestService,
  email: string,
  browser = openBrowser(service.url),
): Promise<Browser> {
  const reply = await browser.post('/v1/api/sessions', { email, password: goodPassword });
  expect(reply.status, reply.text).toBe(201);
  return browser;
}
