/** Hostile requests, over every route that reads something of its caller; test support. */
import { type Attack, bytes, posting, request } from './attack.ts';

const predict = ({ model }: { model: string }): string => `/v1/api/prediction/${model}`;
const long = (length: number, text = 'x'): string => text.repeat(length);
const nested = (depth: number, open = '[', close = ']'): string => `${open.repeat(depth)}${close.repeat(depth)}`;
const keys = (count: number): string => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join()}}`;
const mebibyte = 1 << 20;
const json = { 'content-type': 'application/json' };

const bodies: readonly Attack[] = [
  posting(/^400 malformed_json$/, 'a body of 1,000,000 brackets', predict, nested(1_000_000)),
  posting(/^400 malformed_json$/, 'a body of 300,000 objects in each other', predict, nested(300_000, '{"a":', '}')),
  posting(/^4\d\d /, 'a prediction of 150,000 inputs', predict, keys(150_000)),
  posting(/^4\d\d /, 'an input that is 2 MB long', predict, `{"customer_id":"${long(2 * mebibyte - 100)}"}`),
  posting(
    /^4\d\d /,
    'a correlation_id of 1.9 MB',
    predict,
    `{"customer_id":"C1","correlation_id":"${long(1.9 * mebibyte)}"}`,
  ),
  posting(/^4\d\d /, 'an input that is an array of a million', predict, `{"customer_id":[${'1,'.repeat(999_999)}1]}`),
  posting(/^4\d\d /, 'an input of a million digits', predict, `{"customer_id":${long(1_000_000, '9')}}`),
  posting(/^4\d\d /, 'a number that no machine holds', predict, '{"customer_id":1e999999999}'),
  posting(
    /^4\d\d /,
    'keys of the prototype',
    predict,
    '{"__proto__":{"customer_id":"C1"},"constructor":{"prototype":{}}}',
  ),
  posting(/^4\d\d /, 'half a surrogate pair', predict, '{"customer_id":"\\ud800"}'),
  posting(/^4\d\d /, 'NUL in a text', predict, '{"customer_id":"C\\u00001"}'),
  posting(/^413 /, 'a body of 3 MB', predict, `{"customer_id":"${long(3 * mebibyte)}"}`),
  posting(/^4\d\d /, 'a million files to take in', '/v1/api/ingestions', `{"files":[${'1,'.repeat(999_999)}1]}`),
  posting(
    /^4\d\d /,
    'a million files to score',
    '/v2/api/batches',
    `{"files":[${'1,'.repeat(999_999)}1],"model":"m/a"}`,
  ),
  posting(/^4\d\d /, 'a million files to declare', '/v2/api/files/upload', `{"files":[${'1,'.repeat(999_999)}1]}`),
  posting(/^4\d\d /, '150,000 unknown fields of a batch', '/v2/api/batches', keys(150_000)),
  posting(
    /^4\d\d /,
    'metadata of 150,000 keys',
    '/v1/api/ingestions',
    ({ fileId }) => `{"files":[{"file_id":"${fileId}","table":"orders"}],"metadata":${keys(150_000)}}`,
  ),
  posting(
    /^4\d\d /,
    'metadata nested 5,000 deep',
    '/v2/api/batches',
    ({ fileId, model }) => `{"files":["${fileId}"],"model":"${model}","metadata":{"a":${nested(5_000)}}}`,
  ),
  posting(
    /^4\d\d /,
    'metadata of 1.9 MB in one text',
    '/v2/api/batches',
    ({ fileId, model }) => `{"files":["${fileId}"],"model":"${model}","metadata":{"a":"${long(1.9 * mebibyte)}"}}`,
  ),
  posting(
    /^4\d\d /,
    'the same include a million times',
    '/v2/api/batches',
    ({ fileId, model }) =>
      `{"files":["${fileId}"],"model":"${model}","include":[${'"interval",'.repeat(150_000)}"interval"]}`,
  ),
  posting(
    /^4\d\d /,
    'a path of 1 MB',
    '/v2/api/files/upload',
    JSON.stringify({
      files: [{ path: long(mebibyte), content_type: 'text/csv', md5: '1B2M2Y8AsgTpgAmY7PhCfg==' }],
    }),
  ),
  posting(
    /^4\d\d /,
    'a padded MD5',
    '/v2/api/files/upload',
    JSON.stringify({
      files: [{ path: 'a.csv', content_type: 'text/csv', md5: '1B2M2Y8AsgTpgAmY7PhCfg====' }],
    }),
  ),
  posting(
    /^201$/,
    'a path that climbs, which is a label and no more',
    '/v2/api/files/upload',
    JSON.stringify({
      files: [{ path: '../../etc/passwd', content_type: 'text/csv', md5: '1B2M2Y8AsgTpgAmY7PhCfg==' }],
    }),
  ),
  posting(
    /^4\d\d /,
    'keys to embed, a million',
    '/v1/api/embeddings',
    `{"entity":"customers","keys":[${'1,'.repeat(999_999)}1]}`,
  ),
  posting(
    /^4\d\d /,
    'neighbors, a trillion of them',
    '/v1/api/embeddings/neighbors',
    '{"entity":"customers","key":"C1","k":1000000000000}',
  ),
  posting(
    /^4\d\d /,
    'a vector of a million numbers',
    '/v1/api/embeddings/neighbors',
    `{"entity":"customers","vector":[${'0,'.repeat(999_999)}0]}`,
  ),
  posting(
    /^4\d\d /,
    'an identifier to erase of 2 MB',
    '/v1/api/erasures',
    `{"identifier":"${long(2 * mebibyte - 100)}"}`,
  ),
  posting(
    /^4\d\d /,
    'a training run of a task with a name of 1 MB',
    '/v1/api/training-runs',
    `{"task_id":"${long(mebibyte)}"}`,
  ),
  request(
    /^4\d\d /,
    'an alias for a version with a name of 1 MB',
    'PUT',
    ({ modelId }) => `/v1/api/models/${modelId}/aliases/a`,
    {
      raw: `{"version_id":"${long(mebibyte)}"}`,
      headers: json,
    },
  ),
  request(/^415 /, 'a compressed body', 'POST', predict, {
    raw: new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]),
    headers: { ...json, 'content-encoding': 'gzip' },
  }),
  request(/^415 /, 'a body of XML', 'POST', predict, {
    raw: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    headers: { 'content-type': 'application/xml' },
  }),
  request(/^400 /, 'a body that is not UTF-8', 'POST', predict, {
    raw: new Uint8Array(5_000).fill(0xff),
    headers: json,
  }),
];

const heads: readonly Attack[] = [
  request(
    /^4\d\d /,
    'a query of 10,000 parameters',
    'GET',
    `/v2/api/batches?${Array.from({ length: 1_000 }, (_, i) => `p${i}=1`).join('&')}`,
  ),
  request(/^4\d\d /, 'one parameter 1,000 times', 'GET', `/v2/api/batches?${'limit=1&'.repeat(1_000)}`),
  request(/^4\d\d /, 'a limit of 10^30', 'GET', '/v2/api/batches?limit=1e30'),
  request(/^4\d\d /, 'a cursor of 10 kB', 'GET', `/v2/api/batches?cursor=${long(10_000)}`),
  request(/^4\d\d /, 'a cursor of nonsense', 'GET', '/v1/api/predictions?cursor=eyJhIjoxfQ.AAAA'),
  request(
    /^(200|4\d\d .*)$/,
    'a path to look for, of wildcards',
    'GET',
    `/v2/api/files?path=${encodeURIComponent('%'.repeat(2_000))}`,
  ),
  request(/^4\d\d /, 'an id of 10 kB', 'GET', `/v1/api/models/${long(10_000)}`),
  request(
    /^404 /,
    'an id with SQL in it',
    'GET',
    `/v1/api/models/${encodeURIComponent("' or 1=1; drop table models; --")}`,
  ),
  request(/^4\d\d /, 'an id with NUL in it', 'GET', '/v1/api/models/mdl%00'),
  request(/^4\d\d /, 'an id that is no UTF-8', 'GET', '/v1/api/models/%ff%fe'),
  request(/^4\d\d /, 'an Idempotency-Key of 10 kB', 'POST', '/v2/api/batches', ({ fileId, model }) => ({
    body: { files: [fileId], model },
    headers: { 'idempotency-key': long(10_000) },
  })),
  request(/^200$/, 'a Range of 1,000 parts', 'GET', ({ fileId }) => `/v2/api/files/${fileId}/content`, {
    headers: { range: `bytes=${Array.from({ length: 1_000 }, (_, i) => `${i}-${i}`).join()}` },
  }),
  request(/^(200|4\d\d .*)$/, 'a stream of events after an event of 10 kB', 'GET', '/v1/api/events/stream', {
    headers: { 'last-event-id': long(10_000) },
    isEndless: true,
  }),
  request(/^4\d\d /, 'an If-Match of 15 kB', 'PUT', ({ modelId }) => `/v1/api/models/${modelId}/aliases/production`, {
    body: { version_id: 'ver_0' },
    headers: { 'if-match': `"${long(12_000)}"` },
  }),
  request(
    /^403 /,
    'a signature made up',
    'PUT',
    ({ fileId }) => `/v2/api/files/${fileId}/upload?by=k&expires=99999999999&signature=${long(64, 'A')}`,
    { raw: 'x' },
  ),
  bytes(/^(400|431|closed)$/, 'a head of 1 MB', `GET /healthz HTTP/1.1\r\nhost: a\r\nx: ${long(mebibyte)}\r\n\r\n`),
  bytes(
    /^(400|431|closed)$/,
    'a head of 20,000 lines',
    `GET /healthz HTTP/1.1\r\nhost: a\r\n${'x: y\r\n'.repeat(20_000)}\r\n`,
  ),
  bytes(/^(400|414|431|closed)$/, 'an address of 1 MB', `GET /${long(mebibyte)} HTTP/1.1\r\nhost: a\r\n\r\n`),
  bytes(
    /^(400|closed)$/,
    'two lengths',
    'POST /v1/api/tasks HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello',
  ),
  bytes(
    /^(400|closed)$/,
    'a length and chunks',
    'POST /v1/api/tasks HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ),
  bytes(
    /^(400|closed)$/,
    'a chunk of minus one',
    'POST /v1/api/tasks HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n-1\r\n',
  ),
  bytes(
    /^(4\d\d|closed)$/,
    'a length of 10^18',
    ({ model }) =>
      `POST /v1/api/prediction/${model} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000000000000000000\r\n\r\n{`,
  ),
  bytes(/^(400|closed)$/, 'no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
];

const contract = (schema: string): string =>
  `apiVersion: v3.1.0\nkind: DataContract\nid: hostile\nversion: "1"\nschema:${schema}\n`;
const column = (name: string, more = ''): string => `      - name: ${name}\n        logicalType: string\n${more}`;
const table = (name: string, columns: string): string => `  - name: ${name}\n    properties:\n${columns}`;
const proposing = (name: string, document: string, expected = /^4\d\d /): Attack =>
  posting(expected, name, '/v1/api/contracts', JSON.stringify({ document }));
const anchors = (levels: number): string =>
  Array.from(
    { length: levels },
    (_, i) =>
      `a${i}: &a${i} [${
        i === 0
          ? 'x'
          : Array(9)
              .fill(`*a${i - 1}`)
              .join()
      }]`,
  ).join('\n');

const contracts: readonly Attack[] = [
  proposing('a contract of 12,000 unknown keys', Array.from({ length: 12_000 }, (_, i) => `k${i}: 1`).join('\n')),
  proposing('a contract of 100,000 unknown keys', Array.from({ length: 100_000 }, (_, i) => `k${i}: 1`).join('\n')),
  proposing('a contract of 700,000 brackets', '['.repeat(700_000)),
  proposing('a contract of 700,000 question marks', '? '.repeat(700_000)),
  proposing('a contract of 300,000 dashes', '- '.repeat(300_000)),
  proposing('a contract of anchors upon anchors', `${anchors(12)}\nschema: *a11`),
  proposing('a contract of 20,000 anchors', Array.from({ length: 20_000 }, (_, i) => `k${i}: &b${i} 1`).join('\n')),
  proposing('a contract that refers to itself', 'schema: &s\n  - *s'),
  proposing('a contract with tags of types', 'schema: !!js/function "() => process.exit()"'),
  proposing(
    'a contract with 8,000 tables',
    contract(`\n${Array.from({ length: 8_000 }, (_, i) => table(`t${i}`, column('id'))).join('')}`),
    /^(201|4\d\d .*)$/,
  ),
  proposing(
    'a contract with 20,000 columns',
    contract(`\n${table('t', Array.from({ length: 20_000 }, (_, i) => column(`c${i}`)).join(''))}`),
    /^(201|4\d\d .*)$/,
  ),
  proposing('a contract with 20,000 columns of one name', contract(`\n${table('t', column('c').repeat(20_000))}`)),
  proposing('a contract with a name of 1 MB', contract(`\n${table(long(mebibyte), column('id'))}`)),
  proposing(
    'a contract whose pattern backtracks',
    contract(`\n${table('t', column('c', `        logicalTypeOptions:\n          pattern: ^${'a*'.repeat(30)}b$\n`))}`),
    /^(201|4\d\d .*)$/,
  ),
  proposing(
    'a contract whose pattern repeats a million times',
    contract(`\n${table('t', column('c', '        logicalTypeOptions:\n          pattern: ^((a{1000}){1000})$\n'))}`),
    /^(201|4\d\d .*)$/,
  ),
  proposing('a contract that is one JSON text of 100,000 keys', keys(100_000)),
  proposing('an empty contract', ''),
  proposing('a contract of a thousand documents', '---\na: 1\n'.repeat(1_000)),
];

const defining = (name: string, definition: string): Attack =>
  posting(/^4\d\d /, name, '/v1/api/tasks', JSON.stringify({ name: 'hostile', definition }));

const tasks: readonly Attack[] = [
  defining('a task of 8,000 keys', Array.from({ length: 8_000 }, (_, i) => `k${i}: 1`).join('\n')),
  defining('a task of 700,000 brackets', '['.repeat(700_000)),
  defining('a task of anchors upon anchors', `${anchors(12)}\nentity: *a11`),
  defining(
    'a task whose window is 10^30 days',
    'entity: customers\nkey: customer_id\ntime: date\nlabel: r\nkind: binary\nwindow: 1000000000000000000000000000000d',
  ),
  defining('a task on a table with a name of 1 MB', `entity: ${long(mebibyte)}`),
];

export const requestAttacks: readonly Attack[] = [...bodies, ...heads, ...contracts, ...tasks];
