/** Every operation of openapi.json has a method, which sends what the document says. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  isStream,
  type Operation,
  operationsOf,
  parametersIn,
  readDocument,
  whyUncalled,
} from '../generate/document.ts';
import type { Lastro } from '../src/main.ts';
import { type LocalServer, openLocalServer, sendJson } from './local-server.ts';

const operations = operationsOf(readDocument());
let server: LocalServer;
let client: Lastro;

beforeAll(async () => {
  server = await openLocalServer((_, answer) => {
    sendJson(answer, 200, { data: [], has_more: false, next_cursor: null });
  });
  client = server.client();
});
afterAll(() => server.close());

/** Where the noun of an operation stands in the client: `webhookDeliveries` is `webhooks.deliveries`. */
function placeOf(noun: string): readonly string[] {
  if (noun === 'aliases') return ['models', 'aliases'];
  for (const [prefix, outer] of [
    ['organization', 'organization'],
    ['model', 'models'],
    ['webhook', 'webhooks'],
  ])
    if (noun.length > outer.length && noun.startsWith(prefix))
      return [outer, noun[prefix.length].toLowerCase() + noun.slice(prefix.length + 1)];
  return [noun];
}

type Method = (...args: unknown[]) => Promise<unknown>;

function methodOf({ noun, verb }: Operation): Method | undefined {
  const found = [...placeOf(noun), verb].reduce<unknown>(
    (at, name) => (at as Record<string, unknown> | undefined)?.[name],
    client,
  );
  return found as Method | undefined;
}

const called = operations.filter((operation) => whyUncalled(operation) === null);
const methods = called.filter((operation) => !isStream(operation));
const streams = called.filter(isStream);

test.each(methods)('$operationId', async (operation) => {
  const { method, path, requestBody } = operation;
  const parts = parametersIn(operation, 'path').map(({ name }) => `a/${name}`);
  const [query] = parametersIn(operation, 'query');
  const body = requestBody && { name: 'a body' };
  const args = [
    ...parts,
    ...(body ? [body] : []),
    ...(query ? [{ [query.name]: 'asked for' }] : []),
    { headers: { 'x-option': 'yes' } },
  ];
  await methodOf(operation)!(...args);
  const asked = server.asked.at(-1)!;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => `a%2F${name}`);
  expect(asked).toMatchObject({ method, url: query ? `${filled}?${query.name}=asked+for` : filled });
  expect(asked.body).toBe(body ? JSON.stringify(body) : '');
  expect(asked.headers['x-option']).toBe('yes');
  const takesKey = parametersIn(operation, 'header').some(({ name }) => name === 'Idempotency-Key');
  expect(asked.headers['idempotency-key'] !== undefined).toBe(takesKey);
});

test('streams have methods of their own, which take the place of watch', () => {
  expect(streams.map(({ operationId }) => operationId).sort()).toEqual([
    'events.watch',
    'notifications.watch',
    'trainingRuns.watch',
  ]);
  for (const operation of streams) expect(methodOf({ ...operation, verb: 'stream' })).toBeTypeOf('function');
});

test('what has no method is retired, signed, or where browsers are redirected to', () => {
  const uncalled = (reason: string) =>
    operations.filter((operation) => whyUncalled(operation) === reason).map(({ operationId }) => operationId);
  expect(new Set(uncalled('deprecated').map((id) => id.split('.')[0]))).toEqual(
    new Set(['batchesV1', 'batchInputsV1', 'sunset']),
  );
  expect(uncalled('signed').sort()).toEqual([
    'batches.downloadArchive',
    'batches.downloadFile',
    'files.receive',
    'files.receiveAtOffset',
    'files.uploadProgress',
    'notificationMails.getUnsubscription',
    'notificationMails.unsubscribe',
  ]);
  expect(uncalled('redirect').sort()).toEqual([
    'ssoConnections.beginSignIn',
    'ssoConnections.endOidc',
    'ssoConnections.endSaml',
    'ssoConnections.receiveSaml',
  ]);
  expect(client.ssoConnections.signInUrl('sso_1', { return_to: '/models' })).toBe(
    `${server.url}/v1/api/sso-connections/sso_1/sign-in?return_to=%2Fmodels`,
  );
});

test('an id that would make another address is refused before anything is sent', () => {
  const before = server.asked.length;
  for (const id of ['', '.', '..', undefined]) expect(() => client.files.get(id as string)).toThrow(TypeError);
  expect(server.asked).toHaveLength(before);
});
