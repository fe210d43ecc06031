/**
 * Ten thousand predictions as of the days of a month, with new data, a new release of the service, a new contract and a
 * new version between them: all are given again to the byte, and those that were erased say so.
 */
import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OlderRelease, unpackOlder } from './older-release.ts';
import { expectRefusal } from './problems.ts';
import { bootstrap, makeDataFolder, type Program, removeDataFolder, startProgram } from './program.ts';
import { type Client, openClient } from './service.ts';
import { csv, day, returnsTask, shopTables, shopText } from './shop.ts';
import { takeIn } from './take-in.ts';
import { trainTask } from './train-task.ts';

const predictions = 10_000;
const atOnce = 24;
/** Days of 2023 counted from its first: the September of the shop. */
const [firstDay, days] = [243, 30];
const customers = 44;
const erased = 'C7';
/** Of these the texts are held against each other, and not by their hashes alone. */
const readOneByOne = 150;

const contract = shopText('contract.yaml').replace(
  '        value: since\n',
  '        value: since\n      - property: entityKind\n        value: individual\n',
);
const withCity = contract.replace(
  '      - name: segment\n',
  '      - name: city\n        logicalType: string\n      - name: segment\n',
);
const more = (from: number) =>
  csv(
    'order_id,customer_id,ordered_at,amount',
    Array.from({ length: 80 }, (_, at) => [`N${from}-${at}`, `C${at % 40}`, day(200 + (at % 70)), 300 + at]),
  );

let folder: string;
let release: OlderRelease;
let running: Program;
let key: string;
let client: Client;
beforeAll(async () => {
  folder = makeDataFolder();
  release = await unpackOlder();
  running = startProgram(folder, { tree: release.tree });
  const url = await running.answers;
  key = await bootstrap(folder, 'Replayed', release.tree);
  client = openClient(url, key);
}, 120_000);
afterAll(async () => {
  await removeDataFolder(folder);
  release.remove();
});

async function upgrade(): Promise<void> {
  running.child.kill('SIGTERM');
  expect(await running.ended).toEqual({ code: 0, signal: null });
  running = startProgram(folder);
  client = openClient(await running.answers, key);
}

type Sent = { readonly id: string; readonly customer: string; readonly text: string };
const seconds = (since: number) => Math.round((performance.now() - since) / 100) / 10;

/** Asks so many, with and without what may be included, as of days of the month. */
async function ask(count: number, from: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  let next = from;
  const work = async () => {
    for (let at = next++; at < from + count; at = next++) {
      const customer = `C${at % customers}`;
      const parts = ['', '?include=explanation,interval,unknown', '?include=interval&language=pt-BR'][at % 3];
      const { status, text, body } = await client.post(`/v1/api/prediction/returns/production${parts}`, {
        ...{ customer_id: customer, correlation_id: `asked ${at}` },
        ...(at % 10 < 9 && { reference_date: day(firstDay + (at % days)) }),
      });
      expect(status, text).toBe(200);
      sent.push({ id: body.prediction_id, customer, text });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return sent;
}

async function replayed(predictions: object) {
  const { body: asked, status, text } = await client.post('/v1/api/replays', { predictions });
  expect(status, text).toBe(202);
  return (await client.finished(`/v1/api/replays/${asked.id}`)).body;
}

test('all of a month are given again to the byte, and what was erased is gone by name', async () => {
  await takeIn(client, contract, shopTables);
  await trainTask(client, returnsTask);
  const began = performance.now();
  const sent = await ask(predictions * 0.3, 0);
  await takeIn(client, contract, { orders: more(0) });
  sent.push(...(await ask(predictions * 0.2, sent.length)));
  await upgrade();
  sent.push(...(await ask(predictions * 0.1, sent.length)));
  await takeIn(client, withCity, {
    customers: 'customer_id,city,segment,since\nC41,Natal,trade,2023-01-01\n',
    orders: more(1),
  });
  sent.push(...(await ask(predictions * 0.2, sent.length)));
  const { body: tasks } = await client.get('/v1/api/tasks');
  const trained = await client.post('/v1/api/training-runs', { task_id: tasks.data[0].id, alias: 'production' });
  const { body: run } = await client.finished(`/v1/api/training-runs/${trained.body.id}`);
  expect(run, run.failure?.message).toMatchObject({ status: 'succeeded' });
  // Data and contract have moved so much that gates would rather leave it to people.
  const override = { reason: 'to have answers of two versions' };
  const moved = await client.send('PUT', `/v1/api/models/${run.model_id}/aliases/production`, {
    body: { version_id: run.version_id, override },
  });
  expect(moved.status, moved.text).toBe(200);
  sent.push(...(await ask(predictions * 0.2, sent.length)));
  expect(sent).toHaveLength(predictions);
  const told = sent.map(({ text }) => JSON.parse(text));
  const pairs = new Set(told.map(({ version_id, snapshot_id }) => `${version_id} ${snapshot_id}`));
  expect(pairs.size).toBe(4);
  const askedSeconds = seconds(began);

  const replaying = performance.now();
  const all = await replayed({});
  const replaySeconds = seconds(replaying);
  expect(all).toMatchObject({ total: predictions, identical: predictions, different: 0, gone: {}, differences: [] });

  const asked = await client.post('/v1/api/erasures', { identifier: erased });
  expect((await client.finished(`/v1/api/erasures/${asked.body.id}`)).body.status, asked.text).toBe('succeeded');
  const about = sent.filter(({ customer }) => customer === erased);
  const after = await replayed({});
  expect(after).toMatchObject({
    ...{ total: predictions, identical: predictions - about.length, different: 0, gone: { erased: about.length } },
  });
  const gone = await client.post(`/v1/api/predictions/${about[0]!.id}/replay`);
  expectRefusal(gone, 410, 'entity_erased');
  expect(gone.body.detail).toMatch(/erased on request, at 2/);

  const others = sent.filter(({ customer }) => customer !== erased);
  const chosen = others.filter((_, at) => at % Math.floor(others.length / readOneByOne) === 0);
  const oneByOne = performance.now();
  for (const { id, text } of chosen) {
    const { body, status, text: said } = await client.post(`/v1/api/predictions/${id}/replay`);
    expect(status, said).toBe(200);
    expect(body).toMatchObject({ bit_identical: true, log_intact: true, replayed_hash: hash('sha256', text) });
    expect(JSON.stringify(body.outputs)).toBe(text);
  }
  console.log(
    `${predictions} predictions asked in ${askedSeconds} s (with data, release, contract and training between), replayed in ${replaySeconds} s over ${pairs.size} pairs of version and snapshot; ${about.length} erased; ${chosen.length} one by one in ${seconds(oneByOne)} s`,
  );
}, 1_800_000);
