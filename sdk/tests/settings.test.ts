/** What a client is made with, and what goes with each request by it. */
import { afterEach, expect, test, vi } from 'vitest';
import { Lastro } from '../src/main.ts';
import { type LocalServer, openLocalServer, sendJson } from './local-server.ts';

let server: LocalServer;
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  await server?.close();
});

const open = async () => {
  server = await openLocalServer((_, answer) => sendJson(answer, 200, {}));
  return server;
};

test('key and address come from the environment where they are not given', async () => {
  const { url, asked } = await open();
  vi.stubEnv('LASTRO_API_KEY', 'lst_of_the_environment');
  vi.stubEnv('LASTRO_BASE_URL', `${url}/`);
  await new Lastro().workspace.get();
  await new Lastro({ apiKey: 'lst_given' }).workspace.get();
  expect(asked.map(({ url: path, headers }) => [path, headers.authorization])).toEqual([
    ['/v1/api/workspace', 'Bearer lst_of_the_environment'],
    ['/v1/api/workspace', 'Bearer lst_given'],
  ]);
});

test('on a page it asks the page’s own origin, by its session, in the workspace that is named', async () => {
  const { url, asked } = await open();
  vi.stubEnv('LASTRO_API_KEY', undefined);
  vi.stubEnv('LASTRO_BASE_URL', undefined);
  vi.stubGlobal('location', { origin: url });
  const inits: (RequestInit | undefined)[] = [];
  const client = new Lastro({
    workspace: 'ws_1',
    organization: 'org_1',
    fetch: (input, init) => {
      inits.push(init);
      return fetch(input, init);
    },
  });
  await client.workspace.get();
  expect(asked[0].headers).toMatchObject({ 'lastro-workspace': 'ws_1', 'lastro-organization': 'org_1' });
  expect(asked[0].headers.authorization).toBeUndefined();
  expect(inits[0]?.credentials).toBe('same-origin');
});

test('a header that is given with a request takes the place of another one, in any case', async () => {
  const { asked } = await open();
  const client = server.client({ workspace: 'ws_1' });
  await client.workspace.get({ headers: { 'Lastro-Workspace': 'ws_2' } });
  expect(asked[0].headers['lastro-workspace']).toBe('ws_2');
});

test('what cannot be is refused at once', () => {
  expect(() => new Lastro({ baseUrl: 'localhost:4000' })).toThrow('must begin with http');
  expect(() => new Lastro({ apiKey: 'lst_1\n' })).toThrow('as it was shown');
});
