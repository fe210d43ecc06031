/** The OpenID providers that tests sign in with do what their tests take for granted, asked by hand. */
import { createHash, createPublicKey, type JsonWebKey, randomBytes, verify } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { type LyingOidc, lies, openLyingOidc } from './lying-oidc.ts';
import { type OidcPeer, openOidcProvider } from './oidc-provider.ts';
import { openWalker } from './web-walk.ts';

const redirectUri = 'http://127.0.0.1:9/callback';
const [real, lying] = await Promise.all([openOidcProvider([redirectUri]), openLyingOidc()]);
afterAll(() => Promise.all([real.close(), lying.close()]));

test.each([
  ['the package', real],
  ['the liar, who tells the truth', lying],
])('%s signs in with PKCE, nonce and iss, once for each code', async (_, peer) => {
  const { request, verifier } = await makeRequest(peer);
  const { callbackUrl } = await peer.signIn(request);
  const callback = new URL(callbackUrl).searchParams;
  expect(Object.fromEntries(callback)).toEqual({ code: expect.any(String), state: 's-1', iss: peer.issuer });
  expect(await redeem(peer, callback.get('code')!, 'w'.repeat(43))).toHaveProperty('error', 'invalid_grant');

  const again = new URL((await peer.signIn(request)).callbackUrl).searchParams.get('code')!;
  const { id_token } = await redeem(peer, again, verifier);
  expect(await readToken(peer, id_token)).toMatchObject({
    iss: peer.issuer,
    aud: peer.clientId,
    nonce: 'n-1',
    sub: 'person-1',
    email: 'ana@corp.example',
    email_verified: true,
    name: 'Ana Corp',
  });
  expect(await redeem(peer, again, verifier)).toHaveProperty('error', 'invalid_grant');
});

test('a browser keeps its session at the provider until it is asked to prove anew who it is', async () => {
  const walker = openWalker();
  const { request } = await makeRequest(real);
  const before = real.logins;
  await real.signIn(request, walker);
  await real.signIn(request, walker);
  expect(real.logins).toBe(before + 1);
  for (const more of ['prompt=login', 'max_age=0']) await real.signIn(`${request}&${more}`, walker);
  expect(real.logins).toBe(before + 3);
});

test('when somebody signed in is told if asked for, and may be long ago', async () => {
  const { request, verifier } = await makeRequest(real);
  real.authenticatedAt = Math.floor(Date.now() / 1000) - 3600;
  const { callbackUrl } = await real.signIn(`${request}&max_age=7200`);
  const { id_token } = await redeem(real, new URL(callbackUrl).searchParams.get('code')!, verifier);
  expect(await readToken(real, id_token)).toHaveProperty('auth_time', real.authenticatedAt);
  real.authenticatedAt = undefined;
});

test('whoever refuses comes back without a code', async () => {
  real.account = null;
  const { request } = await makeRequest(real);
  const { callbackUrl } = await real.signIn(request);
  expect(new URL(callbackUrl).searchParams.get('error')).toBe('access_denied');
});

test('claims can be had at the userinfo endpoint alone', async () => {
  const peer = await openOidcProvider([redirectUri], { claimsIn: 'userinfo' });
  const { request, verifier, userinfo } = await makeRequest(peer);
  const { callbackUrl } = await peer.signIn(request);
  const tokens = await redeem(peer, new URL(callbackUrl).searchParams.get('code')!, verifier);
  expect(await readToken(peer, tokens.id_token)).not.toHaveProperty('email');
  const answer = await fetch(userinfo, { headers: { authorization: `Bearer ${tokens.access_token}` } });
  expect(await answer.json()).toMatchObject({ sub: 'person-1', email: 'ana@corp.example' });
  await peer.close();
});

test('each lie is told', async () => {
  const honest = await everythingSaid(lying);
  for (const [name, lie] of Object.entries(lies)) {
    lying.lie = lie;
    expect(await everythingSaid(lying), name).not.toEqual(honest);
  }
  lying.lie = {};
  expect(await everythingSaid(lying)).toEqual(honest);
});

test.each([
  ['huge', 100_000_000],
  ['endless', 'TimeoutError'],
  ['silent', 'TimeoutError'],
  [{ redirect: 'http://169.254.169.254/' }, 'http://169.254.169.254/'],
] as const)('a document is %j', async (transport, expected) => {
  lying.lie = { transport };
  const signal = transport === 'huge' ? null : AbortSignal.timeout(300);
  const seen = await read(`${lying.issuer}/.well-known/openid-configuration`, signal).catch(({ name }) => name);
  expect(seen).toBe(expected);
  lying.lie = {};
});

/** Where an address leads, or the length of what it holds. */
async function read(address: string, signal: AbortSignal | null): Promise<string | number> {
  const answer = await fetch(address, { redirect: 'manual', signal });
  return answer.headers.get('location') ?? (await answer.arrayBuffer()).byteLength;
}

async function discover({ issuer }: { issuer: string }): Promise<Record<string, string>> {
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`);
  return (await answer.json()) as Record<string, string>;
}

async function makeRequest(peer: OidcPeer | LyingOidc) {
  const document = await discover(peer);
  const verifier = randomBytes(32).toString('base64url');
  const request = new URL(document.authorization_endpoint);
  request.search = new URLSearchParams({
    client_id: peer.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state: 's-1',
    nonce: 'n-1',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  return { request: request.href, verifier, userinfo: document.userinfo_endpoint };
}

async function redeem(peer: OidcPeer | LyingOidc, code: string, verifier: string): Promise<Record<string, string>> {
  const document = await discover(peer);
  const secret = Buffer.from(`${peer.clientId}:${peer.clientSecret}`).toString('base64');
  const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
  const answer = await fetch(document.token_endpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${secret}` },
    body: new URLSearchParams(fields),
  });
  return (await answer.json()) as Record<string, string>;
}

/** Claims of a token, whose signature is checked by hand. */
async function readToken(peer: OidcPeer | LyingOidc, token: string): Promise<Record<string, unknown>> {
  const document = await discover(peer);
  const { keys } = (await (await fetch(document.jwks_uri)).json()) as { keys: JsonWebKey[] };
  const [head, body, signature] = token.split('.');
  const key = createPublicKey({ key: keys[0], format: 'jwk' });
  expect(verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
  return JSON.parse(Buffer.from(body, 'base64url').toString());
}

/** All that the liar says in one sign-in, without what is random. */
async function everythingSaid(peer: LyingOidc): Promise<unknown> {
  const discovery = await discover(peer);
  const { request, verifier } = await makeRequest(peer);
  const callback = Object.fromEntries(new URL((await peer.signIn(request)).callbackUrl).searchParams);
  const { code, ...others } = callback;
  const honest = code === undefined ? new URL((await honestly(peer, request)).callbackUrl) : undefined;
  const { id_token } = await redeem(peer, code ?? honest!.searchParams.get('code')!, verifier);
  const [head, body, signature] = id_token.split('.');
  const { iat, exp, auth_time, ...claims } = JSON.parse(Buffer.from(body, 'base64url').toString());
  const userinfo = await (await fetch(`${peer.issuer}/userinfo`)).json();
  const isSigned = await readToken(peer, id_token).then(
    () => true,
    () => false,
  );
  return {
    ...{ discovery, others, hasCode: code !== undefined, head, hasSignature: signature !== '', isSigned, claims },
    ...{ userinfo, lifetime: exp - iat, isPast: exp * 1000 < Date.now(), hasAuthTime: auth_time !== undefined },
  };
}

async function honestly(peer: LyingOidc, request: string): Promise<{ callbackUrl: string }> {
  const { lie } = peer;
  peer.lie = {};
  const end = await peer.signIn(request);
  peer.lie = lie;
  return end;
}
