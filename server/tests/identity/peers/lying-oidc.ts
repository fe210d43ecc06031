/** An OpenID provider that answers honestly but for one lie; test support. */
import { constants, createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { leftFor, openWalker, type Walker } from './web-walk.ts';

type Claims = Readonly<Record<string, unknown>>;
/** Claims whose value is undefined are left out. */
type Change = (honest: Claims) => Claims;

/** What a provider can do wrong; whatever is not named is done right. */
export type Lie = {
  readonly idToken?: Change;
  readonly signature?: 'none' | 'stripped' | 'hs256_public_key' | 'hs256_secret' | 'unknown_kid' | 'foreign_key';
  readonly userinfo?: Change;
  /** Parameters that the browser brings back. */
  readonly callback?: Change;
  /** Fields of the discovery document. */
  readonly discovery?: Change;
  /** How any document is sent instead: far too long, without end, not at all, or to be had at another address. */
  readonly transport?: 'huge' | 'endless' | 'silent' | { readonly redirect: string };
};

/** Each must be refused by whoever signs people in. */
export const lies = {
  'wrong nonce': { idToken: () => ({ nonce: 'another' }) },
  'no nonce': { idToken: () => ({ nonce: undefined }) },
  'wrong aud': { idToken: () => ({ aud: 'another-client' }) },
  'aud beside us, without azp': { idToken: ({ aud }) => ({ aud: [aud, 'another-client'] }) },
  'wrong azp': { idToken: ({ aud }) => ({ aud: [aud, 'another-client'], azp: 'another-client' }) },
  'wrong iss': { idToken: () => ({ iss: 'https://another.example' }) },
  'iss with a slash more': { idToken: ({ iss }) => ({ iss: `${iss}/` }) },
  expired: { idToken: ({ iat }) => ({ iat: Number(iat) - 7200, exp: Number(iat) - 3600 }) },
  'no exp': { idToken: () => ({ exp: undefined }) },
  'no sub': { idToken: () => ({ sub: undefined }) },
  'empty sub': { idToken: () => ({ sub: '' }) },
  'alg none': { signature: 'none' },
  'signature stripped': { signature: 'stripped' },
  'HS256 with the public key': { signature: 'hs256_public_key' },
  'HS256 with the client secret': { signature: 'hs256_secret' },
  'unknown kid': { signature: 'unknown_kid' },
  'foreign key under the known kid': { signature: 'foreign_key' },
  'userinfo of another sub': { userinfo: () => ({ sub: 'somebody-else', email: 'boss@corp.example' }) },
  'no iss in the callback': { callback: () => ({ iss: undefined }) },
  'wrong iss in the callback': { callback: () => ({ iss: 'https://another.example' }) },
  'wrong state in the callback': { callback: () => ({ state: 'another' }) },
  'no code in the callback': { callback: () => ({ code: undefined }) },
  'email_verified false': { idToken: () => ({ email_verified: false }), userinfo: () => ({ email_verified: false }) },
  'email_verified in a string': {
    idToken: () => ({ email_verified: 'false' }),
    userinfo: () => ({ email_verified: 'false' }),
  },
  'issuer of another in the discovery document': { discovery: () => ({ issuer: 'https://another.example' }) },
} as const satisfies Readonly<Record<string, Lie>>;

export type LyingOidc = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  lie: Lie;
  /** Claims of whoever signs in. */
  account: Claims & { readonly sub: string };
  /** How often the provider was asked for each path. */
  readonly asked: ReadonlyMap<string, number>;
  signIn(url: string, walker?: Walker): Promise<{ callbackUrl: string }>;
  close(): Promise<void>;
};

/** Bytes of a document that is far too long. */
const hugeBytes = 100_000_000;

export async function openLyingOidc(): Promise<LyingOidc> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const foreignKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const codes = new Map<string, URLSearchParams>();
  const asked = new Map<string, number>();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const peer: LyingOidc = {
    issuer,
    clientId: 'lastro',
    clientSecret: randomBytes(24).toString('base64url'),
    lie: {},
    account: { sub: 'person-1', email: 'ana@corp.example', email_verified: true, name: 'Ana Corp' },
    asked,
    async signIn(url, walker = openWalker()) {
      return { callbackUrl: leftFor(await walker.get(url)) };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, issuer);
    asked.set(pathname, (asked.get(pathname) ?? 0) + 1);
    if (pathname === '/authorize') return authorize(searchParams, response);
    if (peer.lie.transport !== undefined) return misbehave(peer.lie.transport, response);
    const documents: Readonly<Record<string, () => Promise<object> | object>> = {
      '/.well-known/openid-configuration': discovery,
      '/jwks': () => ({
        keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'known', use: 'sig', alg: 'RS256' }],
      }),
      '/token': async () => token(request, new URLSearchParams(await textOf(request))),
      '/userinfo': () => changed(peer.account, peer.lie.userinfo),
    };
    const document = await documents[pathname]?.();
    const status = document === undefined ? 404 : 'error' in document ? 400 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document ?? {}));
  }

  function authorize(asking: URLSearchParams, response: ServerResponse): void {
    const code = randomBytes(16).toString('base64url');
    codes.set(code, asking);
    const fields = changed({ code, state: asking.get('state') ?? undefined, iss: issuer }, peer.lie.callback);
    const location = new URL(asking.get('redirect_uri')!);
    for (const [name, value] of Object.entries(fields)) location.searchParams.set(name, String(value));
    response.writeHead(302, { location: location.href }).end();
  }

  function discovery(): object {
    const honest = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      // It says so of the symmetric one too, as a provider might that means to be believed.
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
    };
    return changed(honest, peer.lie.discovery);
  }

  /** Of the client the provider demands everything that a good one does: secret, code once, PKCE. */
  function token(request: IncomingMessage, form: URLSearchParams): object {
    const basic = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
    const [id, secret] = basic.includes(':')
      ? basic.split(':').map(decodeURIComponent)
      : [form.get('client_id'), form.get('client_secret')];
    if (id !== peer.clientId || secret !== peer.clientSecret) return { error: 'invalid_client' };
    const code = form.get('code') ?? '';
    const asking = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (
      asking?.get('code_challenge_method') !== 'S256' ||
      asking.get('code_challenge') !== challenge ||
      asking.get('redirect_uri') !== form.get('redirect_uri')
    )
      return { error: 'invalid_grant' };
    return {
      access_token: randomBytes(16).toString('base64url'),
      token_type: 'Bearer',
      expires_in: 300,
      id_token: idToken(asking.get('nonce') ?? undefined),
    };
  }

  function idToken(nonce: string | undefined): string {
    const now = Math.floor(Date.now() / 1000);
    const honest = { iss: issuer, aud: peer.clientId, iat: now, exp: now + 300, auth_time: now, nonce };
    const claims = changed({ ...honest, ...peer.account }, peer.lie.idToken);
    const kind = peer.lie.signature;
    if (kind === 'none') return `${encode({ alg: 'none' })}.${encode(claims)}.`;
    if (kind === 'hs256_public_key' || kind === 'hs256_secret') {
      const key = kind === 'hs256_secret' ? peer.clientSecret : publicKey.export({ format: 'pem', type: 'spki' });
      const signed = `${encode({ alg: 'HS256', kid: 'known' })}.${encode(claims)}`;
      return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
    }
    const signed = `${encode({ alg: 'RS256', kid: kind === 'unknown_kid' ? 'unknown' : 'known' })}.${encode(claims)}`;
    if (kind === 'stripped') return `${signed}.`;
    return `${signed}.${signRs256(signed, kind === undefined ? privateKey : foreignKey)}`;
  }

  return peer;
}

function changed(honest: Claims, change: Change | undefined): Claims {
  const entries = Object.entries({ ...honest, ...change?.(honest) }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

function signRs256(text: string, key: KeyObject): string {
  return sign('sha256', Buffer.from(text), { key, padding: constants.RSA_PKCS1_PADDING }).toString('base64url');
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** Whoever listens must hang up: but for a redirect, what is sent here has no end that is worth waiting for. */
async function misbehave(how: NonNullable<Lie['transport']>, response: ServerResponse): Promise<void> {
  if (typeof how === 'object') {
    response.writeHead(302, { location: how.redirect }).end();
    return;
  }
  if (how === 'silent') return;
  response.writeHead(200, { 'content-type': 'application/json' });
  // Fails when the other side hangs up.
  await pipeline(how === 'huge' ? hugeText() : endlessText(), response).catch(() => {});
}

function* hugeText(): Generator<Buffer> {
  const part = Buffer.alloc(1_000_000, ' ');
  for (let sent = 0; sent < hugeBytes; sent += part.length) yield part;
}

async function* endlessText(): AsyncGenerator<string> {
  for (;;) {
    yield ' '.repeat(10);
    await sleep(100);
  }
}
