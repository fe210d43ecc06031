/** Where the alias of a training run stays: its callers would be refused, or the version is surely worse than none. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lendingData, lendingFiles, lendingQueries } from './lending.ts';
import { takeInLending } from './lending-service.ts';
import { type Client, startTestService, type TestService } from './service.ts';
import { sendTables } from './take-in.ts';
import { trainTask } from './train-task.ts';

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService();
  ({ client } = await service.tenant('Staying'));
  await takeInLending(client);
});
afterAll(() => service.close());

/** What a run warns of its inputs. */
function ofInputs({ warnings }: { readonly warnings: readonly { readonly code: string; readonly message: string }[] }) {
  return warnings.filter(({ code }) => code === 'inputs_changed');
}

test('a run moves its alias past inputs that are gone only where it accepts that', { timeout: 300_000 }, async () => {
  const { task, run: first } = await trainTask(client, { name: 'month', definition: lendingQueries.month });
  expect(first, 'the first point is no change').toMatchObject({ accept_input_changes: false });
  expect(ofInputs(first)).toEqual([]);
  const alias = `/v1/api/models/${first.model_id}/aliases/production`;
  const train = async (more: object = {}) => {
    const asked = await client.post('/v1/api/training-runs', { task_id: task.id, alias: 'production', ...more });
    expect(asked.status, asked.text).toBe(202);
    return (await client.finished(`/v1/api/training-runs/${asked.body.id}`)).body;
  };
  const pointed = async () => (await client.get(alias)).body.version_id;
  const same = await train();
  expect(same).toMatchObject({ status: 'succeeded' });
  expect(ofInputs(same), 'inputs are the same').toEqual([]);
  expect(await pointed()).toBe(same.version_id);

  await renameSize();
  const changed = await train();
  const inputs = [{ name: 'size', change: 'removed', message: 'size is no longer taken' }];
  expect(changed).toMatchObject({ status: 'succeeded' });
  expect(ofInputs(changed)).toMatchObject([{ inputs }]);
  const [{ message }] = ofInputs(changed);
  expect(message).toContain(`production still points at ${same.version_id}`);
  expect(message).toContain('size is no longer taken');
  expect(message).toContain(`PUT ${alias} {"version_id": "${changed.version_id}"}`);
  expect(await pointed()).toBe(same.version_id);
  const loan = { customer_id: 'c3', opened: '2022-06-30', size: 604 };
  expect((await client.post('/v1/api/prediction/month/production', loan)).status).toBe(200);

  const accepted = await train({ accept_input_changes: true });
  expect(accepted).toMatchObject({ status: 'succeeded', accept_input_changes: true });
  expect(ofInputs(accepted)).toEqual([]);
  expect(await pointed()).toBe(accepted.version_id);

  const back = await client.send('PUT', alias, { body: { version_id: same.version_id } });
  expect(back.body, back.text).toMatchObject({
    version_id: same.version_id,
    input_changes: [{ name: 'volume', change: 'removed' }],
  });
  const stays = await client.send('PUT', alias, { body: { version_id: same.version_id } });
  expect(stays.body).toMatchObject({ input_changes: [] });
});

test('a version that is surely worse than no learning is given no alias by its run', { timeout: 300_000 }, async () => {
  // Of what each customer always does the last time tells all, and trees of few rows only about as much.
  const { customer } = lendingData();
  const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2021, 5 + month, 1)).toISOString());
  const rows = months.flatMap((month) =>
    customer.map(({ customer_id }, at) => `${month.slice(0, 10)},${customer_id},${(37 * at) % 101}\n`),
  );
  const { task, run: first } = await trainTask(client, {
    name: 'always',
    definition:
      'entity: customer\nkey: customer_id\ntime: date\nlabel: spent\nkind: regression\nmetric: mae\nwindow: 1d\n',
    labels: { train: `date,customer_id,spent\n${rows.join('')}` },
  });
  expect(first.warnings).toContainEqual(expect.objectContaining({ code: 'worse_than_naive', output: 'prediction' }));
  const alias = `/v1/api/models/${first.model_id}/aliases/production`;
  const pointed = async () => (await client.get(alias)).body.version_id;
  expect(await pointed(), 'who does not ask for it gets what was asked for').toBe(first.version_id);

  const body = { task_id: task.id, alias: 'production', hold_back_worse: true };
  const asked = await client.post('/v1/api/training-runs', body);
  const { body: run, text } = await client.finished(`/v1/api/training-runs/${asked.body.id}`);
  expect(run, text).toMatchObject({ status: 'succeeded', hold_back_worse: true });
  const held = run.warnings.find(({ code }: { readonly code: string }) => code === 'alias_held_back');
  expect(held, text).toMatchObject({ output: 'prediction' });
  expect(held.message).toContain(`production still points at ${first.version_id}`);
  expect(held.message).toContain(`PUT ${alias} {"version_id": "${run.version_id}"}`);
  expect(await pointed()).toBe(first.version_id);
  const moved = await client.send('PUT', alias, { body: { version_id: run.version_id } });
  expect(moved.body, 'a person may move it').toMatchObject({ version_id: run.version_id });
});

test('accepting other inputs goes with a task', async () => {
  const refused = await client.post('/v1/api/training-runs', { entity: 'customer', accept_input_changes: true });
  expect(refused.body, refused.text).toMatchObject({ errors: [{ pointer: '/accept_input_changes' }] });
});

/** Sends the loans with a column renamed. */
async function renameSize(): Promise<void> {
  const files = lendingFiles(lendingData());
  const renamed = (text: string) => text.replace(/\bsize\b/, 'volume');
  const document = renamed(files['contract.yaml']);
  const contract = await client.post('/v1/api/contracts', { document, accept: true });
  expect(contract.status, contract.text).toBe(201);
  const sent = await sendTables(client, { loan: renamed(files['tables/loan.csv']) });
  const asked = await client.post('/v1/api/ingestions', { files: sent.map((file) => ({ ...file, mode: 'replace' })) });
  const { body, text } = await client.finished(`/v1/api/ingestions/${asked.body.id}`);
  expect(body, text).toMatchObject({ status: 'succeeded' });
}
