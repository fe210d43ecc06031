/** What is asked of a model, and which version answers. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../src/access/actor.ts';
import { signAddress } from '../src/access/credentials/signed-address.ts';
import { system } from '../src/access/transactions.ts';
import { signUrl } from '../src/lib/crypto/signed-url.ts';
import { expectRefusal } from './problems.ts';
import type { Client, Tenant, TestService } from './service.ts';
import type { World } from './world.ts';
import { canaries, type Inhabited, startWorlds } from './worlds.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;
let world: World;
let neighbour: Inhabited;

beforeAll(async () => {
  const worlds = await startWorlds();
  ({ service } = worlds);
  ({ tenant, world } = worlds.a);
  neighbour = worlds.b;
  client = tenant.client;
  await service.owner.pool.query(`update workspaces set time_zone = 'Pacific/Kiritimati' where id = $1`, [
    tenant.ctx.workspaceId,
  ]);
});
afterAll(() => service.close());

const customer = `${canaries[0]}C1`;
const asked = { customer_id: customer };
const predict = (body: unknown, name = world.alias) => client.post(`/v1/api/prediction/${world.model}/${name}`, body);

/** The day it is in the workspace's zone, and others. */
function day(offset: number): string {
  const kiritimatiMs = 14 * 60 * 60 * 1000;
  return new Date(Date.now() + kiritimatiMs + offset * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

test('its sentences are in the language that is asked for, and in that of the workspace otherwise', async () => {
  const at = (query: string) =>
    client.post(`/v1/api/prediction/${world.model}/${world.alias}?include=explanation${query}`, asked);
  const [usual, portuguese, english] = [await at(''), await at('&language=pt-BR'), await at('&language=en')];
  expect([usual.status, portuguese.status, english.status]).toEqual([200, 200, 200]);
  const sentences = ({ body }: typeof usual) => body.explanation.map(({ text }: { text: string }) => text).join();
  expect(sentences(usual)).not.toBe('');
  expect(sentences(portuguese)).not.toBe(sentences(english));
  expect([sentences(portuguese), sentences(english)]).toContain(sentences(usual));
  expect([usual.body.language, portuguese.body.language, english.body.language]).toEqual([undefined, 'pt-BR', 'en']);
  expect(portuguese.body.probability ?? portuguese.body.prediction).toBe(
    usual.body.probability ?? usual.body.prediction,
  );
  const unknown = await at('&language=fr');
  expectRefusal(unknown, 400, 'invalid_parameter', '/query/language');
});

describe('inputs', () => {
  test.each<[string, object, string, string[]]>([
    ['none', {}, 'missing_input', ['/customer_id']],
    ['null', { customer_id: null }, 'missing_input', ['/customer_id']],
    ['an unknown one', { ...asked, colour: 'red' }, 'unknown_input', ['/colour']],
    ['two unknown ones', { ...asked, 'a/b': 1, '~': 2 }, 'unknown_input', ['/a~1b', '/~0']],
    ['one inherited by every object', { ...asked, toString: 'x' }, 'unknown_input', ['/toString']],
    ['an empty text', { customer_id: '' }, 'missing_input', ['/customer_id']],
    ['a number that JSON has rounded', { customer_id: 2 ** 60 }, 'invalid_input', ['/customer_id']],
    ['a list for text', { customer_id: [customer] }, 'invalid_input', ['/customer_id']],
    ['an object for text', { customer_id: {} }, 'invalid_input', ['/customer_id']],
    ['a list to be echoed', { ...asked, correlation_id: [7] }, 'invalid_input', ['/correlation_id']],
  ])('%s: is told by its place', async (_, body, code, pointers) => {
    expectRefusal(await predict(body), 422, code as 'invalid_input', ...pointers);
  });

  test.each([
    [[customer], `the list ["${customer}"]`],
    [{ a: 1 }, '{"a":1}'],
  ])('%j for text is shown as what it is', async (customer_id, found) => {
    const { body } = await predict({ customer_id });
    expect(body.detail).toBe(`customer_id: expected a text, found ${found}`);
  });

  test('a number stands for its text, in keys and in what is echoed', async () => {
    const reply = await predict({ customer_id: 17, correlation_id: 7 });
    expect(reply.body, reply.text).toMatchObject({ prediction_id: expect.any(String), correlation_id: '7' });
  });

  test('what is echoed comes back, and what is asked is kept', async () => {
    const body = { ...asked, correlation_id: 'c é 1', reference_id: '' };
    const reply = await predict(body);
    expect(reply.body, reply.text).toMatchObject({ correlation_id: 'c é 1', reference_id: '' });
    const kept = await client.get(`/v1/api/predictions/${reply.body.prediction_id}`);
    expect(kept.body).toMatchObject({ inputs: body, outputs: reply.body });
  });

  test('one that nobody can keep spoils no answer beside it', async () => {
    const { tenant: other, world: theirs } = neighbour;
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        at % 3 === 0
          ? client.post(`/v1/api/prediction/${world.model}/${world.alias}`, {
              customer_id: '\0',
              correlation_id: '\ud800',
            })
          : other.client.post(`/v1/api/prediction/${theirs.model}/${theirs.alias}`, {
              customer_id: `${theirs.canary}C1`,
            }),
      ),
    );
    for (const [at, reply] of replies.entries())
      if (at % 3 === 0) expectRefusal(reply, 400, 'malformed_json');
      else expect(reply.status, reply.text).toBe(200);
  });

  test('include knows what can be included', async () => {
    const path = `/v1/api/prediction/${world.model}/${world.alias}`;
    expectRefusal(await client.post(`${path}?include=secrets`, asked), 400, 'invalid_parameter', '/query/include');
    const reply = await client.post(`${path}?include=explanation`, asked);
    const { explanation, explained } = reply.body;
    expect(explanation, reply.text).toEqual(expect.any(Array));
    expect(explained, reply.text).toMatchObject({ unit: 'percentage_points' });
    const effects = explanation.reduce((sum: number, { effect }: { effect: number }) => sum + effect, 0);
    expect(explained.usual + effects + explained.others).toBeCloseTo(explained.answer, 9);
    expect(explained.answer).toBeCloseTo(100 * reply.body[explained.field], 6);
  });

  test('what lists reasons is declared as a list of texts', async () => {
    const { body: answer } = await predict(asked);
    const { body: version } = await client.get(`/v1/api/models/${world.model}/versions/${answer.version_id}`);
    const [field] = version.outputs.filter(({ name }: { name: string }) => name === 'key_factors');
    expect(field).toMatchObject({ type: 'array', items: { type: 'string' }, example: [expect.any(String)] });
    expect(field).not.toHaveProperty('format');
    expect(answer.key_factors.every((text: unknown) => typeof text === 'string')).toBe(true);
  });
});

describe('reference_date', () => {
  test.each([
    'tomorrow',
    '',
    '2024-02-30',
    '2023-02-29',
    '2024-13-01',
    '2024-1-1',
    '20240101',
    '2024-01-01T00:00:00Z',
    '0000-00-00',
    '+02024-01-01',
    20240101,
    true,
    ['2024-01-01'],
    {},
  ])('%j is no day', async (value) => {
    expectRefusal(await predict({ ...asked, reference_date: value }), 422, 'invalid_input', '/reference_date');
  });

  test('a day to come is refused, by the clock of the workspace', async () => {
    const reply = await predict({ ...asked, reference_date: day(1) });
    expectRefusal(reply, 422, 'reference_date_in_future', '/reference_date');
    expect((await predict({ ...asked, reference_date: day(0) })).status).toBe(200);
    expect((await predict({ ...asked, reference_date: '9999-12-31' })).body.code).toBe('reference_date_in_future');
  });

  test('means the end of that day, and null means none', async () => {
    const { body } = await predict({ ...asked, reference_date: '2023-06-30' });
    expect(body.as_of).toBe('2023-06-30T09:59:59.999Z');
    const now = await predict({ ...asked, reference_date: null });
    expect(Date.parse(now.body.as_of)).toBe(Date.parse(now.body.generated_at));
  });
});

describe('a target', () => {
  test.each<[string, (world: World) => [string, string]]>([
    ['an unknown model', ({ alias }) => ['mdl_unknown', alias]],
    ['an unknown alias', ({ model }) => [model, 'challenger']],
    ['an unknown version', ({ model }) => [model, 'ver_unknown']],
    ['a name that no alias can have', ({ model }) => [model, 'PRODUCTION']],
    ['a model for a version', ({ model }) => [model, model]],
    ['an inherited name', ({ model }) => [model, 'constructor']],
  ])('%s does not exist', async (_, target) => {
    const [model, name] = target(world);
    expectRefusal(await client.post(`/v1/api/prediction/${model}/${name}`, asked), 404, 'not_found');
  });

  test('an inactive version is not asked, and cannot be given an alias', async () => {
    const path = `/v1/api/models/${world.model}/versions/${world.spare}`;
    expect((await predict(asked, world.spare)).status).toBe(200);
    expect((await client.post(`${path}/deactivation`)).body.status).toBe('inactive');
    await refusedSoon(() => predict(asked, world.spare), 'version_inactive');
    const alias = `/v1/api/models/${world.model}/aliases/challenger`;
    const body = { version_id: world.spare };
    expectRefusal(await client.send('PUT', alias, { body }), 409, 'version_inactive');
    const batch = { files: [world.file], model: `${world.model}/${world.spare}` };
    expectRefusal(await client.post('/v2/api/batches', batch), 409, 'version_inactive');
    expect((await client.post(`${path}/activation`)).body.status).toBe('active');
    expect((await client.send('PUT', alias, { body })).status).toBe(200);
    expect((await client.send('DELETE', alias)).status).toBe(204);
  });

  test('a version behind an alias stays active', async () => {
    const path = `/v1/api/models/${world.model}/versions/${world.version}`;
    expectRefusal(await client.post(`${path}/deactivation`), 409, 'version_aliased');
    expect((await predict(asked)).status).toBe(200);
  });
});

describe('the address of a result', () => {
  const result = async () => (await client.get(`/v2/api/batches/${world.batch}/result`)).body;

  test('is good for whoever holds it, in whole and in part', async () => {
    const { download_url, files } = await result();
    const whole = await service.anonymous.get(download_url);
    expect(whole.status, whole.text).toBe(200);
    const bytes = Buffer.from(whole.text);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(files[0].sha256);
    const half = bytes.length >> 1;
    const parts = [];
    for (const range of [`bytes=0-${half - 1}`, `bytes=${half}-`])
      parts.push((await service.anonymous.send('GET', download_url, { headers: { range } })).text);
    expect(parts.join('')).toBe(whole.text);
    const behind = await service.anonymous.send('GET', download_url, { headers: { range: `bytes=${bytes.length}-` } });
    expectRefusal(behind, 416, 'range_not_satisfiable');
    expect(behind.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
    expect((await service.anonymous.send('HEAD', download_url)).headers.get('content-length')).toBe(
      String(bytes.length),
    );
  });

  test('leaves an entry for every download but the pieces that follow one', async () => {
    const { addresses } = service.service.app.keys;
    const archiveFor = (actor: Actor) => {
      const path = `/v2/api/batches/${world.batch}/result/archive`;
      const address = { path, method: 'GET', expires: new Date(Date.now() + 60_000) };
      return `${service.url}${signAddress(addresses, { actor, credentialId: actor.id, workspaceId: tenant.ctx.workspaceId }, address)}`;
    };
    const entries = async (requestId: string | null) =>
      system(service.service.app.db, 'test', (tx) =>
        tx.selectFrom('audit_entries').select('data').where('request_id', '=', requestId).execute(),
      );
    const whole = (await service.anonymous.get((await result()).download_url)).text;
    // Each time somebody who has fetched nothing yet.
    const fetchAs = async (options: { headers?: Record<string, string>; isArchive?: boolean; method?: string }) => {
      const creator = await tenant.as('creator');
      const { download_url } = (await creator.get(`/v2/api/batches/${world.batch}/result`)).body;
      const archive = archiveFor({ type: 'api_key', id: creator.keyId, label: '' });
      const address = options.isArchive ? archive : download_url;
      const ask = async (headers: Record<string, string>, method = 'GET') => {
        const reply = await service.anonymous.send(method, address, { headers });
        return { reply, left: (await entries(reply.headers.get('request-id'))).length };
      };
      return { ask, ...(await ask(options.headers ?? {}, options.method)) };
    };
    for (const [range, status, sent] of [
      ['bytes=0-', 206, whole],
      ['bytes=-999999999', 206, whole],
      ['lines=1-2', 200, whole],
      ['bytes=0-1,3-4', 200, whole],
      ['bytes=1-', 206, whole.slice(1)],
    ] as const) {
      const { ask, reply, left } = await fetchAs({ headers: { range } });
      expect([reply.status, reply.text, left], range).toEqual([status, sent, 1]);
      expect((await ask({ range: 'bytes=5-9' })).left, 'the piece that follows').toBe(0);
      expect((await ask({ range: 'bytes=-999999999' })).left, 'the whole again').toBe(1);
    }
    expect((await fetchAs({ headers: { range: 'bytes=1-' }, isArchive: true })).left).toBe(1);
    expect((await fetchAs({ method: 'HEAD' })).left).toBe(0);
    expect((await fetchAs({ headers: { 'if-none-match': '*' } })).left).toBe(0);
  });

  test('tells who has it already that nothing is new', async () => {
    const { download_url, files } = await result();
    const etag = `"${files[0].sha256}"`;
    const get = (known: string) =>
      service.anonymous.send('GET', download_url, { headers: { 'if-none-match': known, range: 'bytes=0-1' } });
    for (const known of [etag, `"other", ${etag}`, `W/${etag}`, '*'])
      expect((await get(known)).status, known).toBe(304);
    for (const known of ['"other"', files[0].sha256]) expect((await get(known)).status, known).toBe(206);
  });

  test('altered or expired is refused', async () => {
    const { download_url } = await result();
    const url = new URL(download_url);
    for (const change of [
      (copy: URL) => copy.searchParams.set('by', 'user other'),
      (copy: URL) => copy.searchParams.set('expires', '9999999999'),
      (copy: URL) => copy.searchParams.append('more', '1'),
      (copy: URL) => copy.searchParams.delete('signature'),
      (copy: URL) => (copy.pathname = copy.pathname.replace('/0', '/1')),
      (copy: URL) => (copy.pathname = copy.pathname.replace('/files/0', '/archive')),
    ]) {
      const copy = new URL(url);
      change(copy);
      expectRefusal(await service.anonymous.get(String(copy)), 403, 'signature_invalid');
    }
    const { keys } = service.service.app;
    const grant = { path: url.pathname, method: 'GET', expires: new Date(Date.now() - 1_000), claims: { by: 'x' } };
    expectRefusal(await service.anonymous.get(signUrl(grant, keys.addresses)), 403, 'signature_expired');
  });

  test('leads nowhere once the result is deleted', async () => {
    const { download_url } = await result();
    expect((await client.send('DELETE', `/v2/api/batches/${world.batch}/result`)).status).toBe(200);
    expectRefusal(await service.anonymous.get(download_url), 410, 'result_deleted');
    expectRefusal(await client.get(`/v2/api/batches/${world.batch}/result`), 410, 'result_deleted');
  });
});

/** Every process serves a change within a second: asks until it does. */
async function refusedSoon(ask: () => ReturnType<typeof predict>, code: 'version_inactive'): Promise<void> {
  for (;;) {
    const reply = await ask();
    if (reply.status === 200) continue;
    expectRefusal(reply, 409, code);
    return;
  }
}

describe('an alias', () => {
  const path = () => `/v1/api/models/${world.model}/aliases/moving`;
  const override = { reason: 'versions of worlds are not validated' };
  const point = (version_id: string, headers: Record<string, string> = {}) =>
    client.send('PUT', path(), { body: { version_id, override }, headers });

  test('is guarded by its ETag', async () => {
    expectRefusal(await client.get(path()), 404, 'not_found');
    for (const ifMatch of ['*', '"1-x"'])
      expectRefusal(await point(world.version, { 'if-match': ifMatch }), 412, 'precondition_failed');
    const made = await point(world.version, { 'if-none-match': '*' });
    expect(made.status, made.text).toBe(200);
    const etag = made.headers.get('etag')!;
    expect(etag).toMatch(/^"[^"]+"$/);
    expect((await client.get(path())).headers.get('etag')).toBe(etag);
    expectRefusal(await point(world.spare, { 'if-none-match': '*' }), 412, 'precondition_failed');
    expectRefusal(await point(world.spare, { 'if-match': '"other"' }), 412, 'precondition_failed');
    expectRefusal(await point(world.spare, { 'if-match': `W/${etag}` }), 412, 'precondition_failed');
    const moved = await point(world.spare, { 'if-match': `"other", ${etag}` });
    expect(moved.status, moved.text).toBe(200);
    const next = moved.headers.get('etag')!;
    expect(next).not.toBe(etag);
    expectRefusal(await point(world.version, { 'if-match': etag }), 412, 'precondition_failed');
    expectRefusal(await client.send('DELETE', path(), { headers: { 'if-match': etag } }), 412, 'precondition_failed');
    expect((await point(world.spare, { 'if-match': '*' })).headers.get('etag')).toBe(next);
    expect((await client.send('DELETE', path(), { headers: { 'if-match': next } })).status).toBe(204);
    expectRefusal(await client.send('DELETE', path()), 404, 'not_found');
  });

  test('moved by ten at once on the same ETag moves once', async () => {
    const etag = (await point(world.version)).headers.get('etag')!;
    const replies = await Promise.all(Array.from({ length: 10 }, () => point(world.spare, { 'if-match': etag })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies) if (reply.status !== 200) expectRefusal(reply, 412, 'precondition_failed');
    await client.send('DELETE', path());
  });

  test('made by ten at once is made once, where they ask that it be new', async () => {
    const targets = Array.from({ length: 10 }, (_, at) => (at % 2 ? world.version : world.spare));
    const replies = await Promise.all(targets.map((id) => point(id, { 'if-none-match': '*' })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies) if (reply.status !== 200) expectRefusal(reply, 412, 'precondition_failed');
    await client.send('DELETE', path());
  });

  test('moving tells of a demotion and a promotion, in their order, once', async () => {
    const before = await eventsOf();
    await point(world.version);
    await point(world.spare);
    await point(world.spare);
    await point(world.version);
    await client.send('DELETE', path());
    const about = (type: string, id: string) => [
      `model-version-${type}`,
      id,
      { id, model_id: world.model, alias: 'moving' },
    ];
    expect((await eventsOf()).slice(before.length)).toEqual([
      about('promotion', world.version),
      about('demotion', world.version),
      about('promotion', world.spare),
      about('demotion', world.spare),
      about('promotion', world.version),
      about('demotion', world.version),
    ]);
    for (const id of [world.version, world.spare]) {
      const numbers = await system(service.service.app.db, 'test', (tx) =>
        tx.selectFrom('events').select('sequence').where('resource_id', '=', id).orderBy('sequence').execute(),
      );
      expect(numbers.map(({ sequence }) => sequence)).toEqual(numbers.map((_, at) => at + 1));
    }
  });

  test('answers with its version in every answer, while it moves', async () => {
    await point(world.version);
    let isMoving = true;
    const asking = (async () => {
      const seen = new Set<string>();
      while (isMoving) {
        const reply = await predict(asked, 'moving');
        expect(reply.status, reply.text).toBe(200);
        seen.add(reply.body.version_id);
      }
      return seen;
    })();
    for (let move = 0; move < 20; move++) await point(move % 2 ? world.version : world.spare);
    isMoving = false;
    expect([...(await asking)].every((id) => [world.version, world.spare].includes(id))).toBe(true);
    await client.send('DELETE', path());
  });

  async function eventsOf() {
    const events = await system(service.service.app.db, 'test', (tx) =>
      tx
        .selectFrom('events')
        .select(['type', 'resource_id', 'payload'])
        .where('resource_type', '=', 'model_version')
        .where('resource_id', 'in', [world.version, world.spare])
        .orderBy('created_at')
        .execute(),
    );
    return events.map(({ type, resource_id, payload }) => [type, resource_id, payload]);
  }
});
