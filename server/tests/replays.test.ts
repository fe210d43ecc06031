/** Predictions of the log and batches, answered again to the byte whatever has become of what they were asked with. */
import { createHash } from 'node:crypto';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { sweep } from '../src/resources/maintenance/sweep.ts';
import { predictionReplaySchema, replaySchema } from '../src/resources/replays/replay.ts';
import { replayPrediction } from '../src/resources/replays/replay-prediction.ts';
import { startSelfChecks } from '../src/resources/replays/self-check.ts';
import { openAsk } from '../src/serving/ask.ts';
import { openServing } from '../src/serving/serving.ts';
import { expectRefusal } from './problems.ts';
import type { Client, Reply, Tenant, TestService } from './service.ts';
import { csv, customerRows, lastro, returnsTask, shopText } from './shop.ts';
import { runBatch, startShop, type Trained } from './support/samples/batches.ts';
import { takeIn } from './take-in.ts';

let service: TestService;
let tenant: Tenant;
let client: Client;
let returns: Trained;
let late: Trained;
/** What was answered, as it was sent, by its id. */
const sent = new Map<string, string>();
let batch: string;
let inputs: string;

beforeAll(async () => {
  ({ service, tenant, client, returns, late } = await startShop());
});
afterAll(() => service.close());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const replay = (id: string) => client.post(`/v1/api/predictions/${id}/replay`);
const owner = (text: string, values: unknown[] = []) => service.owner.pool.query(text, values);

async function ask(path: string, body: object): Promise<string> {
  const { status, text, body: answer } = await client.post(`/v1/api/prediction/${path}`, body);
  expect(status, text).toBe(200);
  sent.set(answer.prediction_id, text);
  return answer.prediction_id;
}

async function expectSame(id: string): Promise<Reply['body']> {
  const { status, text, body } = await replay(id);
  expect(status, text).toBe(200);
  expect(body, text).toMatchObject({ prediction_id: id, bit_identical: true, log_intact: true, differences: [] });
  expect(JSON.stringify(body.outputs)).toBe(sent.get(id));
  expect([body.output_hash, body.replayed_hash]).toEqual(Array(2).fill(sha256(sent.get(id)!)));
  return body;
}

async function replayed(body: object): Promise<Reply['body']> {
  const asked = await client.post('/v1/api/replays', body);
  expect(asked.status, asked.text).toBe(202);
  expect(asked.body).toMatchObject({ status: 'queued', origin: 'request', total: null, done: 0 });
  const { body: done, text } = await client.get(`/v1/api/replays/${asked.body.id}?wait=60`);
  expect(done.status, text).toBe('succeeded');
  expect([...Compile(replaySchema).Errors(done)]).toEqual([]);
  return done;
}

test('what has just been answered is answered again to the byte where it was, and the trail has who asked', async () => {
  const parts = ['', '?include=explanation,interval,unknown', '?include=interval&language=pt-BR', '?language=en'];
  for (const [at, part] of [...parts, ...parts].entries()) {
    // Customers that are there, one of whom nothing is known yet, days that are over and none.
    const day = at % 3 === 0 ? {} : { reference_date: `2023-0${1 + (at % 9)}-1${at}` };
    await ask(`returns/production${part}`, {
      customer_id: `C${at === 5 ? 99 : at}`,
      correlation_id: `é ${at}`,
      ...day,
    });
    const row = { order_id: `new ${at}`, ordered_at: `2023-06-0${1 + at}`, amount: at % 2 ? '12.50' : 80 };
    await ask(`late/production${part}`, { ...row, customer_id: at === 3 ? null : `C${at}` });
  }
  for (const id of sent.keys()) {
    const { pins, engine, ...told } = await expectSame(id);
    const answer = JSON.parse(sent.get(id)!);
    expect([...Compile(predictionReplaySchema).Errors({ pins, engine, ...told })]).toEqual([]);
    expect(pins).toMatchObject({
      ...{ version_id: answer.version_id, snapshot_id: answer.snapshot_id, as_of: answer.as_of, engine },
      ...{ time_zone: 'America/Sao_Paulo', language: answer.language ?? 'en', generated_at: answer.generated_at },
    });
  }
  const trail = await system(service.service.app.db, 'test', (tx) =>
    tx.selectFrom('audit_entries').select(['target_id', 'data']).where('action', '=', 'prediction-replay').execute(),
  );
  expect(trail.map(({ target_id }) => target_id).sort()).toEqual([...sent.keys()].sort());
  expect(trail.every(({ data }) => (data as { bit_identical: boolean }).bit_identical)).toBe(true);
  // The log is as it was: a replay is none of its predictions.
  const { rows } = await owner('select count(*)::int as count from predictions');
  expect(rows[0].count).toBe(sent.size);
});

test('new data, contract, zone, language, version and alias change none of what was answered before', async () => {
  const rows = Array.from({ length: 90 }, (_, at) => `C${at % 45},row ${at},2023-0${1 + (at % 9)}-01`);
  inputs = await client.upload(
    'rows.csv',
    `customer_id,correlation_id,reference_date\n${rows.join('\n')}\nC1,bad,2023-99-01\n`,
  );
  ({ id: batch } = await runBatch(client, {
    files: [inputs],
    model: 'returns/production',
    include: ['interval', 'row'],
  }));

  const contract = shopText('contract.yaml').replace(
    '      - name: segment\n',
    '      - name: city\n        logicalType: string\n      - name: segment\n',
  );
  const customers = csv('customer_id,city,segment,since', [
    ...customerRows.map(([id, segment, since]) => [id!, 'Recife', segment === 'trade' ? 'retail' : 'trade', since!]),
    ['C99', 'Natal', 'trade', '2023-01-01'],
  ]);
  const orders = csv(
    '',
    Array.from({ length: 60 }, (_, at) => [`N${at}`, `C${at % 2 ? 99 : at}`, `2023-0${1 + (at % 9)}-05`, 500 + at]),
  );
  await takeIn(client, contract, { customers, orders: shopText('tables/orders.csv') + orders.trimStart() }, 'replace');
  const person = await tenant.signedIn('creator', 'organization');
  const changed = await person.send('PATCH', '/v1/api/workspace', {
    body: { time_zone: 'Pacific/Kiritimati', language: 'pt-BR' },
  });
  expect(changed.status, changed.text).toBe(200);
  const { body: task } = await client.get('/v1/api/tasks?limit=200');
  const { id } = task.data.find(({ name }: { name: string }) => name === returnsTask.name);
  const trained = await client.post('/v1/api/training-runs', { task_id: id, alias: 'production' });
  const { body: run, text } = await client.finished(`/v1/api/training-runs/${trained.body.id}`);
  expect(run, text).toMatchObject({ status: 'succeeded' });
  const override = { reason: 'learned from too few rows to be held against the one before' };
  const moved = await client.send('PUT', `/v1/api/models/${returns.model_id}/aliases/production`, {
    body: { version_id: run.version_id, override },
  });
  expect(moved.status, moved.text).toBe(200);
  const off = await client.post(`/v1/api/models/${returns.model_id}/versions/${returns.version_id}/deactivation`);
  expect(off.status, off.text).toBe(200);
  await sweep(service.service.app, -1000);

  const before = [...sent.keys()];
  // What is answered now is another answer, of another version, over other data.
  const { customer_id } = (await client.get(`/v1/api/predictions/${before[2]}`)).body.inputs;
  const now = await ask('returns/production', { customer_id, reference_date: '2023-02-11' });
  const [then, since] = [before[2], now].map((id) => JSON.parse(sent.get(id!)!));
  expect(since).not.toMatchObject({ version_id: then.version_id });
  expect(since).not.toMatchObject({ snapshot_id: then.snapshot_id });
  for (const id of sent.keys()) await expectSame(id);

  const all = await replayed({ predictions: { from: '2026-01-01T00:00:00Z' } });
  expect(all).toMatchObject({
    total: sent.size,
    done: sent.size,
    fraction: 1,
    identical: sent.size,
    different: 0,
    gone: {},
  });
  const ofLate = await replayed({ predictions: { model: 'late' } });
  expect(ofLate).toMatchObject({ total: 8, identical: 8, asked: { predictions: { model_id: late.model_id } } });
  const sample = await replayed({ predictions: { sample: 5 } });
  expect(sample).toMatchObject({ total: 5, identical: 5 });
  // Spread over what there is: the newest version over the newest data, and both of before.
  const versions = sample.asked.predictions.ids.map((id: string) => JSON.parse(sent.get(id)!).version_id);
  expect(new Set(versions)).toEqual(new Set([returns.version_id, late.version_id, run.version_id]));
  expect(await replayed({ batch })).toMatchObject({ total: 90, identical: 90, different: 0, gone: {} });
});

test('what the log has otherwise than it was answered is told with its path, and told to people', async () => {
  const [altered, hashed, asked] = [...sent.keys()];
  await owner(`update predictions set outputs = jsonb_set(outputs, '{prediction}', '0.5') where id = $1`, [altered]);
  await owner(`update predictions set outputs_sha256 = repeat('0', 64) where id = $1`, [hashed]);
  await owner(`update predictions set inputs = inputs || '{"customer_id": "C31"}' where id = $1`, [asked]);
  const answer = sent.get(altered!)!;
  const { body } = await replay(altered!);
  expect(body).toMatchObject({ bit_identical: false, differences: ['/prediction'], log_intact: false });
  expect([JSON.stringify(body.outputs), body.replayed_hash]).toEqual([answer, sha256(answer)]);
  expect((await replay(hashed!)).body).toMatchObject({ bit_identical: false, differences: [], log_intact: null });
  const other = (await replay(asked!)).body;
  expect(other).toMatchObject({ bit_identical: false, log_intact: null });
  expect(other.differences).not.toEqual([]);
  await owner(`update predictions set inputs = inputs || '{"colour": 1}' where id = $1`, [asked]);
  const refused = (await replay(asked!)).body;
  expect(refused).toMatchObject({ bit_identical: false, outputs: null, differences: [''] });
  expect(refused.refusal).toMatchObject({ code: 'unknown_input' });

  const all = await replayed({ predictions: { ids: [altered, hashed, asked, [...sent.keys()][3]] } });
  expect(all).toMatchObject({ total: 4, identical: 1, different: 3 });
  expect(all.differences).toContainEqual({ prediction_id: altered, paths: ['/prediction'] });
  const events = await client.get(`/v1/api/events?type=replay-difference`);
  expect(events.body.data[0], events.text).toMatchObject({
    ...{ resource_id: all.id, data: { origin: 'request', different: 3 } },
  });

  await owner(`update batches set language = 'pt-BR' where id = $1`, [batch]);
  const rows = await replayed({ batch });
  expect(rows).toMatchObject({ total: 90, identical: 0, different: 90, gone: {} });
  expect(rows.differences[0]).toEqual({ file_id: inputs, row: 1, paths: ['key_factors'] });
  await owner(`update batches set language = 'en' where id = $1`, [batch]);
});

test('the command says what replays find, and ends with 1 where something differs', async () => {
  const run = async (...args: string[]) => {
    Object.assign(process.env, { LASTRO_BASE_URL: service.url, LASTRO_API_KEY: client.key });
    const { code, out, said } = await lastro('replay', ...args);
    return { code, said, found: out === '' ? null : JSON.parse(out) };
  };
  const [altered, , , same] = [...sent.keys()] as [string, string, string, string];
  expect(await run(same)).toMatchObject({ code: 0, found: { prediction_id: same, bit_identical: true } });
  expect(await run(altered)).toMatchObject({ code: 1, found: { differences: ['/prediction'] } });
  expect(await run(altered, same)).toMatchObject({ code: 1, found: { total: 2, identical: 1, different: 1 } });
  expect(await run('--model', 'late', '--to', '2026-01-01T00:00:00Z')).toMatchObject({ code: 0, found: { total: 0 } });
  expect(await run(batch)).toMatchObject({ code: 0, found: { identical: 90 }, said: expect.stringContaining('] ') });
  expect(await run('prd_0')).toMatchObject({ code: 2, found: null, said: expect.stringContaining('404 not_found') });
  expect((await run(batch, same)).said).toContain('one batch at a time');
  delete process.env.LASTRO_API_KEY;
  const { code, said } = await lastro('replay');
  expect([code, said]).toEqual([2, expect.stringContaining('LASTRO_API_KEY must be a key')]);
});

test('what an answer was made from and is gone is named: input, bytes, snapshot and version', async () => {
  expect((await client.send('DELETE', `/v2/api/files/${inputs}`)).status).toBe(200);
  expect(await replayed({ batch })).toMatchObject({ identical: 0, gone: { file: 90 } });
  const ids = [...sent.keys()];
  const [ofReturns, ofLate] = [ids[4]!, ids[5]!];
  const { snapshot_id } = JSON.parse(sent.get(ofLate)!);
  await owner('update snapshots set erased_at = now() where id = $1', [snapshot_id]);
  const emptied = await replay(ofLate);
  expectRefusal(emptied, 410, 'pin_gone', '/pins/snapshot');
  expect(emptied.body.detail).toContain(snapshot_id);
  await owner('update snapshots set erased_at = null where id = $1', [snapshot_id]);
  await expectSame(ofLate);

  for (const name of (await client.get(`/v1/api/models/${late.model_id}`)).body.aliases.map(
    (one: { alias: string }) => one.alias,
  ))
    expect((await client.send('DELETE', `/v1/api/models/${late.model_id}/aliases/${name}`)).status).toBe(204);
  expect((await client.send('DELETE', `/v1/api/models/${late.model_id}`)).status).toBe(204);
  const deleted = await replay(ofLate);
  expectRefusal(deleted, 410, 'pin_gone', '/pins/version');
  expect(deleted.body.detail).toBe(`version ${late.version_id} was deleted with its model`);
  await expectSame(ofReturns);
  const all = await replayed({ predictions: {} });
  expect(all).toMatchObject({ total: sent.size, gone: { version: 8 }, different: 2, identical: sent.size - 10 });

  const { app } = service.service;
  const { rows } = await owner('select frozen_key from snapshots where id = $1', [snapshot_id]);
  await app.storage.delete(rows[0].frozen_key);
  // What is open was checked when it was opened; a process that has not opened it is refused.
  const serving = openServing(app.db, app.storage, app.workFolder, 256);
  await expect(replayPrediction({ ...app, serving }, openAsk(1), tenant.ctx, ofReturns)).rejects.toMatchObject({
    reason: 'pin_gone',
    problems: [{ at: '/pins/snapshot' }],
  });
  await serving.close();
  expect(await replayed({ predictions: { ids: [ofReturns] } })).toMatchObject({ gone: { snapshot: 1 } });
});

test('what cannot be replayed as asked is refused by its place, and what is under way can be stopped', async () => {
  expectRefusal(await replay('prd_0'), 404, 'not_found');
  const create = (body: object) => client.post('/v1/api/replays', body);
  const [id] = [...sent.keys()];
  expectRefusal(await create({}), 422, 'invalid', '/predictions');
  expectRefusal(await create({ predictions: {}, batch }), 422, 'invalid', '/batch');
  expectRefusal(await create({ batch: 'bat_0' }), 404, 'not_found', '/batch');
  expectRefusal(await create({ predictions: { ids: [id, 'prd_0'] } }), 404, 'not_found', '/predictions/ids/1');
  expectRefusal(await create({ predictions: { ids: [id], sample: 3 } }), 422, 'invalid', '/predictions');
  expectRefusal(await create({ predictions: { from: 'today' } }), 422, 'schema_mismatch', '/predictions/from');
  const never = { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' };
  expectRefusal(await create({ predictions: never }), 422, 'invalid', '/predictions/from');
  const asked = await create({ predictions: {} });
  const stopped = await client.post(`/v1/api/replays/${asked.body.id}/interrupt`);
  if (stopped.status === 200) expect(stopped.body).toMatchObject({ status: 'interrupted' });
  expectRefusal(await client.post(`/v1/api/replays/${asked.body.id}/interrupt`), 409, 'already_finished');
});

test('each night the service replays a sample of each workspace that has predictions, once', async () => {
  const { app } = service.service;
  const none = await service.tenant('Without predictions', { timeZone: 'Pacific/Kiritimati' });
  const sampling = { ...app, replaySample: 6 };
  // Three in the morning there; by day nothing is begun.
  const [night, noon] = ['2027-03-01T13:00:00Z', '2027-03-01T22:00:00Z'].map((text) => new Date(text));
  expect(await startSelfChecks(sampling, noon)).toBe(0);
  expect(await startSelfChecks({ ...app, replaySample: 0 }, night)).toBe(0);
  expect(await startSelfChecks(sampling, night)).toBe(1);
  const { body } = await client.get('/v1/api/replays?limit=1');
  expect(body.data).toMatchObject([{ origin: 'self_check', created_by: 'Lastro' }]);
  const { body: done, text } = await client.get(`/v1/api/replays/${body.data[0].id}?wait=60`);
  expect(done, text).toMatchObject({ status: 'succeeded', total: 6, done: 6 });
  expect((await none.client.get('/v1/api/replays')).body.data).toEqual([]);
  await owner(`update replays set created_at = $1 where id = $2`, [night, body.data[0].id]);
  expect(await startSelfChecks(sampling, new Date(night!.getTime() + 3_600_000))).toBe(0);
  expect(await startSelfChecks(sampling, new Date(night!.getTime() + 24 * 3_600_000))).toBe(1);
});
