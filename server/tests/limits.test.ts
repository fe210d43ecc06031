/** What docs/limits.md says of requests is what the service does: as much as a limit passes, and one more does not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limitMax } from '../src/api/list.ts';
import { idempotencyKeyLengthMax } from '../src/api/texts.ts';
import { limitSections } from '../src/commands/limits.ts';
import { jsonDepthMax, jsonValuesMax } from '../src/lib/http/json-bounds.ts';
import { jsonBodyBytesMax, paramLengthMax } from '../src/lib/http/server.ts';
import { headBytesMax } from '../src/lib/http/unreadable.ts';
import { missingLengthMax, missingTextsMax } from '../src/ml/contract/contract.ts';
import { patternLengthMax } from '../src/ml/contract/pattern.ts';
import { nameLengthMax, tableColumnsMax, tablesMax } from '../src/ml/contract/size.ts';
import { yamlDepthMax, yamlReferencesMax } from '../src/ml/contract/yaml.ts';
import { depthMax } from '../src/ml/tasks/parse-condition.ts';
import { monthsMax } from '../src/ml/tasks/parse-delinquency.ts';
import { anchorMomentsMax, daysMax, horizonsMax } from '../src/ml/tasks/target.ts';
import { priorityMax } from '../src/resources/batches/batch.ts';
import { filesMax as batchFilesMax } from '../src/resources/batches/routes.ts';
import { modelLengthMax } from '../src/resources/batches/target.ts';
import { documentLengthMax } from '../src/resources/contracts/routes.ts';
import { keyLengthMax, keysMax, neighborsMax } from '../src/resources/embeddings/routes.ts';
import { identifierLengthMax } from '../src/resources/erasures/routes.ts';
import { filesPerUploadMax, pathLengthMax } from '../src/resources/files/file.ts';
import { filesMax as ingestionFilesMax } from '../src/resources/ingestions/routes.ts';
import { aliasLengthMax } from '../src/resources/models/alias.ts';
import { definitionLengthMax } from '../src/resources/tasks/routes.ts';
import { taskNameLengthMax } from '../src/resources/tasks/task.ts';
import { type Client, type Reply, startTestService, type TestService } from './service.ts';

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService({ logLevel: 'fatal' }, 'api');
  ({ client } = await service.tenant('Shop'));
});
afterAll(() => service.close());

const x = (length: number): string => 'x'.repeat(length);
const list = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));
const raw = (path: string, text: string): Promise<Reply> =>
  client.send('POST', path, { raw: text, headers: { 'content-type': 'application/json' } });

let names = 0;
const task = (definition: string): Promise<Reply> =>
  client.post('/v1/api/tasks', { name: `task${names++}`, definition });
const predict = (window: string, rest = ''): Promise<Reply> =>
  task(`PREDICT exists(orders) WITHIN ${window} FOR customers${rest}`);
const contract = (document: string): Promise<Reply> => client.post('/v1/api/contracts', { document });

/** A contract of tables, each given by its columns; of `extra` its first column has more. */
function contractOf(tables: readonly (readonly string[])[], extra: object = {}): Promise<Reply> {
  const schema = tables.map((columns, at) => ({
    name: `t${at}`,
    properties: columns.map((name, place) => ({
      ...{ name, logicalType: 'string' },
      ...(at === 0 && place === 0 ? extra : {}),
    })),
  }));
  return contract(JSON.stringify({ apiVersion: 'v3.1.0', kind: 'DataContract', id: 'shop', version: '1', schema }));
}
const missing = (texts: readonly string[]): Promise<Reply> =>
  contractOf([['a', 'b']], { customProperties: [{ property: 'missingValues', value: texts }] });
const md5 = '1B2M2Y8AsgTpgAmY7PhCfg==';
const declare = (paths: readonly string[], headers = {}): Promise<Reply> =>
  client.post(
    '/v2/api/files/upload',
    { files: paths.map((path) => ({ path, content_type: 'text/csv', md5 })) },
    headers,
  );

type Case = readonly [what: string, most: number, send: (size: number) => Promise<Reply>];
const cases: readonly Case[] = [
  ['Body of JSON', jsonBodyBytesMax, (size) => raw('/v1/api/tasks', `{"name":"${x(size - 11)}"}`)],
  // The list itself is a value, and so is what stands between commas.
  ['Values in a body of JSON', jsonValuesMax, (size) => raw('/v1/api/tasks', `[${'1,'.repeat(size - 2)}1]`)],
  [
    'Levels of lists and objects in a body of JSON',
    jsonDepthMax,
    (size) => raw('/v1/api/tasks', `${'['.repeat(size)}${']'.repeat(size)}`),
  ],
  ['A name or id in the path of an address', paramLengthMax, (size) => client.get(`/v1/api/tasks/${x(size)}`)],
  ['Idempotency-Key', idempotencyKeyLengthMax, (size) => declare(['a.csv'], { 'idempotency-key': x(size) })],
  [
    'Name of an alias',
    aliasLengthMax,
    (size) => client.send('PUT', `/v1/api/models/mdl/aliases/${x(size)}`, { body: { version_id: 'ver' } }),
  ],
  ['Keys to embed at once', keysMax, (size) => client.post('/v1/api/embeddings', { keys: list(size, String) })],
  ['A key to embed', keyLengthMax, (size) => client.post('/v1/api/embeddings', { keys: [x(size)] })],
  ['Neighbors at once', neighborsMax, (limit) => client.post('/v1/api/embeddings/neighbors', { key: 'a', limit })],
  ['Identifier to erase', identifierLengthMax, (size) => client.post('/v1/api/erasures', { identifier: x(size) })],
  ['A contract', documentLengthMax, (size) => contract(x(size))],
  ['Tables of a contract', tablesMax, (size) => contractOf(list(size, () => ['a']))],
  ['Columns of a table of a contract', tableColumnsMax, (size) => contractOf([list(size, (at) => `c${at}`)])],
  ['Name of a table or column in a contract', nameLengthMax, (size) => contractOf([[x(size)]])],
  [
    'Pattern of a column',
    patternLengthMax,
    (size) => contractOf([['a']], { logicalTypeOptions: { pattern: x(size) } }),
  ],
  [
    'Texts of a column that stand for nothing (missingValues)',
    missingTextsMax,
    (size) => missing(list(size, (at) => `n${at}`)),
  ],
  ['One such text', missingLengthMax, (size) => missing([x(size)])],
  ['Definition of a task', definitionLengthMax, (size) => task(x(size))],
  [
    'Name of a task or model',
    taskNameLengthMax,
    (size) =>
      client.post('/v1/api/tasks', { name: x(size), definition: 'PREDICT exists(orders) WITHIN 30d FOR customers' }),
  ],
  ['Horizons of a task', horizonsMax, (size) => predict(list(size, (at) => `${at + 1}d`).join(', '))],
  ['Days that a task looks ahead or back, or lie between its anchors', daysMax, (size) => predict(`${size}d`)],
  ['Levels of a condition', depthMax, (size) => predict('30d', ` WHERE ${'('.repeat(size)}a = 1${')'.repeat(size)}`)],
  ['Month on book of a delinquency', monthsMax, (size) => task(`PREDICT delinquency(loan, 30 days at month ${size})`)],
  ['Files that are declared at once', filesPerUploadMax, (size) => declare(list(size, (at) => `${at}.csv`))],
  ['Path of a file', pathLengthMax, (size) => declare([x(size)])],
  [
    'Files of an ingestion',
    ingestionFilesMax,
    (size) => client.post('/v1/api/ingestions', { files: list(size, (at) => ({ file_id: `file_${at}`, table: 'a' })) }),
  ],
  [
    'Name of a table in an ingestion',
    nameLengthMax,
    (size) => client.post('/v1/api/ingestions', { files: [{ file_id: 'file_a', table: x(size) }] }),
  ],
  [
    'Files of a batch',
    batchFilesMax,
    (size) => client.post('/v2/api/batches', { files: list(size, (at) => `file_${at}`), model: 'mdl/production' }),
  ],
  [
    'Priority of a batch',
    priorityMax,
    (priority) => client.post('/v2/api/batches', { files: ['file_a'], model: 'mdl/production', priority }),
  ],
  [
    'The model of a batch, as one text',
    modelLengthMax,
    (size) => client.post('/v2/api/batches', { files: ['file_a'], model: x(size) }),
  ],
];

const codesOf = (what: string): readonly string[] => {
  const row = limitSections.flatMap(({ limits }) => limits).find(([name]) => name === what);
  expect(row, `there is no row ${what}`).toBeDefined();
  return row![2];
};

test.each(cases)('%s: %i pass, and one more is refused with the code of the page', async (what, most, send) => {
  const codes = codesOf(what);
  const [within, beyond] = [await send(most), await send(most + 1)];
  expect(codes, within.text.slice(0, 500)).not.toContain(within.body?.code);
  expect(codes, beyond.text.slice(0, 500)).toContain(beyond.body?.code);
});

test.each<[string, number, (size: number) => Promise<Reply>]>([
  ['Levels of lists and maps in YAML', yamlDepthMax, (size) => contract(`a: ${'['.repeat(size)}${']'.repeat(size)}`)],
  [
    'Anchors, aliases, tags and directives in YAML',
    yamlReferencesMax,
    (size) => contract(list(size, (at) => `k${at}: &a${at} 1`).join('\n')),
  ],
  [
    'Moments at which a task asks',
    anchorMomentsMax,
    () =>
      task(`entity: customers
kind: binary
target: { table: orders, aggregate: exists, horizons: [30d] }
anchors: { every: 1d, from: '1950-01-01', until: '2020-01-01' }`),
  ],
])('more than the %s is refused with the code of the page and the limit', async (what, most, send) => {
  const reply = await send(most + 1);
  expect(codesOf(what)).toContain(reply.body.code);
  expect(reply.body.detail).toContain(String(most));
});

test('a larger head is refused, and a longer page is shortened', async () => {
  const reply = await client.send('GET', '/v1/api/tasks', { headers: { 'x-long': x(headBytesMax) } });
  expect(codesOf('First line and headers')).toContain(reply.body.code);
  expect((await client.get(`/v1/api/tasks?limit=${limitMax + 1}`)).status).toBe(200);
  expect(codesOf('Entries of a page of a list')).toEqual([]);
});
