/** Splits of aliases over HTTP: another version answers a stable share, in two processes, and both sides are compared. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { system, tenant as within } from '../src/access/transactions.ts';
import { newId } from '../src/lib/crypto/ids.ts';
import { splitSchema } from '../src/resources/alias-splits/split.ts';
import { rollBack } from '../src/resources/models/roll-back.ts';
import { expectRefusal } from './problems.ts';
import { type SecondProcess, startSecondProcess } from './second-process.ts';
import type { Tenant, TestService } from './service.ts';
import { startShop } from './support/samples/batches.ts';

let service: TestService;
let tenant: Tenant;
let second: SecondProcess;
let model: string;
let own: string;
let other: string;

const customers = Array.from({ length: 40 }, (_, c) => `C${c}`);
const placeOf = (key: string) =>
  Number.parseInt(createHash('md5').update(`customers ${key}`).digest('hex').slice(0, 8), 16) / 2 ** 32;
const override = { reason: 'the other one is the same but for its number' };

beforeAll(async () => {
  ({
    service,
    tenant,
    returns: { model_id: model, version_id: own },
  } = await startShop());
  [other, second] = await Promise.all([copyVersion(own, 2), startSecondProcess(service)]);
});
afterAll(async () => {
  await second.close();
  await service.close();
});

/** A version with the files of another. */
async function copyVersion(of: string, number: number): Promise<string> {
  const version = newId('ver');
  await sql`insert into model_versions select (jsonb_populate_record(v, jsonb_build_object('id', ${version}::text, 'number', ${number}::int))).*
    from model_versions v where id = ${of}`.execute(service.owner.kysely);
  return version;
}

const path = () => `/v1/api/models/${model}/aliases/production/split`;
const put = (body: object, client = tenant.client) => client.send('PUT', path(), { body });

async function ask(customer: string, url = service.url): Promise<Record<string, string>> {
  const reply = await fetch(`${url}/v1/api/prediction/${model}/production`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.client.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ customer_id: customer, reference_id: newId('req') }),
  });
  const body = (await reply.json()) as Record<string, string>;
  expect(reply.status, JSON.stringify(body)).toBe(200);
  return body;
}

const askedAll = async (url?: string) => {
  const found = new Map<string, string>();
  for (const customer of customers) found.set(customer, (await ask(customer, url)).version_id);
  return found;
};
const expected = (share: number) => new Map(customers.map((key) => [key, placeOf(key) < share ? other : own]));

function eventsOf(id: string, type: string) {
  return system(service.service.app.db, 'test', async (tx) => {
    const rows = await tx.selectFrom('events').selectAll().where('resource_id', '=', id).orderBy('sequence').execute();
    return rows.filter((row) => row.type === type).map(({ payload }) => payload as Record<string, unknown>);
  });
}

test('a split asks for the gates of the model, and for a version that its callers can be answered by', async () => {
  const refused = await put({ version_id: other, share: 0.5 });
  expectRefusal(refused, 409, 'gates_failed');
  expect(refused.body.detail).toContain('no share of production is answered by');
  const developer = await tenant.as('developer');
  expectRefusal(await put({ version_id: other, share: 0.5, override }, developer), 403, 'permission_denied');
  for (const share of [0, 1, -1, 2]) expectRefusal(await put({ version_id: other, share }), 422, 'schema_mismatch');
  expectRefusal(await put({ version_id: own, share: 0.5 }), 422, 'invalid');
  expectRefusal(await put({ version_id: newId('ver'), share: 0.5 }), 404, 'not_found');
  const nobody = `/v1/api/models/${model}/aliases/nobody/split`;
  const asked = { body: { version_id: other, share: 0.5, override } };
  expectRefusal(await tenant.client.send('PUT', nobody, asked), 404, 'not_found');
  const narrow = await copyVersion(own, 3);
  await sql`update model_versions set inputs = inputs || '[{"name": "extra", "type": "string", "required": true}]'
    where id = ${narrow}`.execute(service.owner.kysely);
  const breaking = await put({ version_id: narrow, share: 0.5, override });
  expectRefusal(breaking, 422, 'invalid');
  expect(breaking.body.detail).toContain('extra is required now');
  await sql`update model_versions set status = 'inactive' where id = ${narrow}`.execute(service.owner.kysely);
  expectRefusal(await put({ version_id: narrow, share: 0.5, override }), 409, 'version_inactive');
  expectRefusal(await tenant.client.get(path()), 404, 'not_found');
  expectRefusal(await tenant.client.send('DELETE', path()), 404, 'not_found');
});

test('the same share of entities is answered by the version in two processes, a larger one has it', async () => {
  await Promise.all([askedAll(), askedAll(second.url)]);
  for (const share of [0.3, 0.6]) {
    const started = await put({ version_id: other, share, override });
    expect(started.body, started.text).toMatchObject({
      version_id: other,
      share,
      arms: [{ arm: 'alias' }, { arm: 'split' }],
    });
    expect([...Compile(splitSchema).Errors(started.body)]).toEqual([]);
    const last = customers.filter((key) => placeOf(key) < share).sort((a, b) => placeOf(b) - placeOf(a))[0];
    for (const url of [service.url, second.url]) {
      await vi.waitUntil(async () => (await ask(last, url)).version_id === other, { timeout: 120_000 });
      expect(await askedAll(url)).toEqual(expected(share));
    }
  }
  const told = await eventsOf(other, 'alias-split-update');
  expect(told).toMatchObject([0.3, 0.6].map((share) => ({ model_id: model, alias: 'production', share })));
  expect((await eventsOf(other, 'model-gates-override')).length).toBe(2);
  const split = { version_id: other, share: 0.6 };
  const { body: known } = await tenant.client.get(`/v1/api/models/${model}`);
  expect(known.aliases).toEqual([{ alias: 'production', version_id: own, split }]);
  expect((await tenant.client.get(`/v1/api/models/${model}/aliases/production`)).body).toMatchObject({ split });
  // Fewer may always be.
  expect((await put({ version_id: other, share: 0.5 })).status).toBe(200);
  expect((await put({ version_id: other, share: 0.6, override })).status).toBe(200);
});

test('the log keeps who answered, by which a prediction is replayed, and others ask by version as before', async () => {
  const inShare = customers.find((key) => placeOf(key) < 0.3)!;
  const { prediction_id: id } = await ask(inShare);
  const { body } = await tenant.client.get(`/v1/api/predictions/${id}`);
  expect(body).toMatchObject({ version_id: other, alias: 'production', entity: { key: inShare } });
  const replayed = await tenant.client.post(`/v1/api/predictions/${id}/replay`);
  expect(replayed.body, replayed.text).toMatchObject({ bit_identical: true });
  const direct = await tenant.client.post(`/v1/api/prediction/${model}/${own}`, { customer_id: inShare });
  expect(direct.body.version_id).toBe(own);
  const changes = { inputs: { customer_id: inShare }, changeable: [] };
  const told = await tenant.client.post(`/v1/api/prediction/${model}/production/counterfactuals`, changes);
  expect(told.body.version_id, told.text).toBe(other);
  expectRefusal(
    await tenant.client.post(`/v1/api/prediction/${model}/production`, { customer_id: inShare, nothing: 1 }),
    422,
    'unknown_input',
  );
});

test('a batch by the alias is answered by what the alias points at', async () => {
  const file = await tenant.client.upload('asked.csv', `customer_id\n${customers.join('\n')}\n`);
  const { body, text } = await tenant.client.post('/v2/api/batches', { files: [file], model: `${model}/production` });
  const done = await tenant.client.finished(`/v2/api/batches/${body.id}`);
  expect(done.body.status, text).toBe('succeeded');
  const [target] = done.body.targets ?? [{ version_id: done.body.model.version_id }];
  expect(target.version_id).toBe(own);
});

test('both sides are counted apart, and of outcomes only decided ones of closed windows, one of each entity', async () => {
  const { body: before } = await tenant.client.get(path());
  const [alias, split] = before.arms;
  expect(split.version_id).toBe(other);
  const inShare = customers.filter((key) => placeOf(key) < 0.6);
  expect(split.entities).toBe(inShare.length);
  expect(split.answers).toBeGreaterThan(inShare.length);
  expect(alias.entities).toBeLessThanOrEqual(customers.length);
  const tenths = split.tenths.reduce((sum: number, one: { answers: number }) => sum + one.answers, 0);
  expect(tenths).toBe(split.answers);
  expect([alias.outcomes, split.outcomes, before.differences]).toEqual([[], [], []]);
  const { rows } = await service.owner.pool.query(
    `select id, version_id, entity_key, row_number() over (partition by version_id, entity_key order by id desc)::int as newest
    from predictions where alias = 'production' and id > (select since from alias_splits)`,
  );
  // Of each entity the newest came to nothing, and what is older to something; of one the window is open.
  const open = rows.find((row) => row.version_id === own && row.newest === 1)!.id;
  for (const { id, version_id, newest } of rows)
    await sql`insert into outcomes (id, organization_id, workspace_id, prediction_id, model_id, version_id, output,
        value, observed_at, closes_at, is_decided, source, recorded_by)
      select ${newId('out')}, organization_id, workspace_id, id, model_id, ${version_id}, 'prediction',
        ${newest === 1 && version_id === own ? '0' : '1'}::jsonb, now(),
        now() + ${id === open ? '1 day' : '-1 day'}::interval, true, 'api', 'test'
      from predictions where id = ${id}`.execute(service.owner.kysely);
  const { body } = await tenant.client.get(path());
  expect([...Compile(splitSchema).Errors(body)]).toEqual([]);
  const [[ofAlias], [ofSplit]] = body.arms.map(({ outcomes }: { outcomes: unknown[] }) => outcomes);
  expect(ofSplit).toMatchObject({ output: 'prediction', rows: split.entities, observed: 1, observed_high: 1 });
  expect(ofAlias.rows).toBe(alias.entities - (rows.some((row) => row.version_id === own && row.newest === 2) ? 0 : 1));
  expect(ofAlias.observed_low).toBeLessThanOrEqual(ofAlias.observed);
  const [difference] = body.differences;
  expect(difference.observed).toBeCloseTo(ofSplit.observed - ofAlias.observed, 12);
  expect(difference.low).toBeLessThan(difference.observed);
});

test('a version of a split is not deactivated, and the split ends when the alias moves', async () => {
  const { client } = tenant;
  const deactivation = `/v1/api/models/${model}/versions/${other}/deactivation`;
  const refused = await client.post(deactivation);
  expectRefusal(refused, 409, 'version_aliased');
  expect(refused.body.detail).toContain(path());
  const alias = `/v1/api/models/${model}/aliases/production`;
  expect((await client.send('PUT', alias, { body: { version_id: other, override } })).status).toBe(200);
  expectRefusal(await client.get(path()), 404, 'not_found');
  await vi.waitUntil(async () => new Set((await askedAll()).values()).size === 1, { timeout: 120_000 });
  expect((await client.send('PUT', alias, { body: { version_id: own } })).status).toBe(200);
  expect(await eventsOf(other, 'alias-split-end')).toMatchObject([{ because: 'moved' }]);
});

test('another version begins anew, whoever fails ends it, and so does an alias that goes', async () => {
  const { client } = tenant;
  const third = await copyVersion(own, 4);
  const alias = `/v1/api/models/${model}/aliases/passing`;
  await client.send('PUT', alias, { body: { version_id: own } });
  const split = (version_id: string) =>
    client.send('PUT', `${alias}/split`, { body: { version_id, share: 0.5, override } });
  expect((await split(third)).status).toBe(200);
  expect((await split(other)).body).toMatchObject({ version_id: other, arms: [{ answers: 0 }, { answers: 0 }] });
  const failed = { modelId: model, versionId: other, reason: [], signals: [] };
  const rolled = (tx: Parameters<typeof rollBack>[0]) =>
    rollBack(tx, tenant.ctx, failed, { days: 1, now: new Date(0) });
  expect(await within(service.service.app.db, tenant.ctx, rolled)).toEqual([]);
  expectRefusal(await client.get(`${alias}/split`), 404, 'not_found');
  expect((await split(third)).status).toBe(200);
  expect((await client.send('DELETE', `${alias}/split`)).status).toBe(204);
  expect((await split(third)).status).toBe(200);
  expect((await client.send('DELETE', alias)).status).toBe(204);
  expect((await service.owner.pool.query('select from alias_splits')).rows).toEqual([]);
  const because = (await eventsOf(third, 'alias-split-end')).map((payload) => payload.because);
  expect(because).toEqual(['replaced', 'ended', 'removed']);
  expect((await eventsOf(other, 'alias-split-end')).map((payload) => payload.because)).toContain('failed');
});
