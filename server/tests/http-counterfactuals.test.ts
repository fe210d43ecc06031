/** What would have to be otherwise for an answer to be another, asked over HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeContract } from '../src/ml/contract/write.ts';
import { dayOf, inputsOf, loansContract, loansTask, newLoans } from './new-loans.ts';
import { expectRefusal } from './problems.ts';
import type { Row } from './samples.ts';
import { startTestService, type Tenant, type TestService } from './service.ts';
import { csv } from './shop.ts';
import { takeIn } from './take-in.ts';
import { trainTask } from './train-task.ts';
import { meterAll, totals } from './usage/metered.ts';

let service: TestService;
let tenant: Tenant;
let path: string;
/** Of a version that answers a score and its band. */
let scoredPath: string;
const { rows, labels } = newLoans(700);
/** The first loan that nothing was learned from. */
const loansLater = 600;
/** What the version reads: of personal columns it learns nothing here. */
const known = (row: Row) => {
  const { dependants: _, ...rest } = inputsOf(row);
  return rest;
};
const inputs = { ...known(rows[loansLater]), amount: 16, income: 2_000.5, channel: 'broker', term: 30 };

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.tenant('Loans');
  const { columns } = loansContract.tables[0];
  const names = columns.map(({ name }) => name);
  const cells = rows.map((row) =>
    columns.map(({ name, type }) => (type === 'date' ? dayOf(row[name]) : (row[name] as string | number))),
  );
  await takeIn(tenant.client, writeContract(loansContract), { loan: csv(names.join(','), cells) });
  const labelled = (from: number, to: number) =>
    csv(
      'granted,loan_id,bad',
      rows.slice(from, to).map((row, i) => [dayOf(row.granted), String(row.loan_id), labels[from + i]]),
    );
  const learned = { train: labelled(0, loansLater - 150), validation: labelled(loansLater - 150, loansLater) };
  const { run } = await trainTask(tenant.client, { name: 'bad', definition: loansTask, labels: learned });
  path = `/v1/api/prediction/${run.model_id}/production`;
  const definition = loansTask.replace('kind: binary', 'kind: credit');
  const scored = await trainTask(tenant.client, { name: 'bad-scored', definition, labels: learned });
  scoredPath = `/v1/api/prediction/${scored.run.model_id}/production`;
});
afterAll(() => service.close());

const find = (body: object, of = path) => tenant.client.post(`${of}/counterfactuals`, body);
const changeable = ['amount', 'term', 'income', 'channel', 'insured', 'since'].map((input) => ({ input }));
const counted = async (table: string, action?: string) => {
  const where = action === undefined ? '' : ` and action = '${action}'`;
  const { rows } = await service.owner.pool.query(
    `select count(*)::int as count from ${table} where workspace_id = $1${where}`,
    [tenant.ctx.workspaceId],
  );
  return rows[0].count as number;
};

test('each answer, sent back as a prediction, crosses the threshold with the numbers that were told', async () => {
  const [below, above] = [0.2, 0.5];
  let changes = 0;
  for (const row of rows.slice(loansLater, loansLater + 12)) {
    const own = known(row);
    const asked = await tenant.client.post(path, own);
    const target = asked.body.prediction >= below ? { below } : { above };
    const { status, body, text } = await find({ inputs: own, target, changeable, alternatives: 2 });
    expect(status, text).toBe(200);
    expect(body.prediction.prediction).toBe(asked.body.prediction);
    for (const one of body.counterfactuals) {
      const changed = Object.fromEntries(
        one.changes.map(({ input, to }: { input: string; to: unknown }) => [input, to]),
      );
      for (const { input, from } of one.changes) expect(from).toEqual(own[input]);
      const answer = await tenant.client.post(path, { ...own, ...changed });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.prediction).toBe(one.outputs.prediction);
      expect('below' in target ? answer.body.prediction < below : answer.body.prediction >= above).toBe(true);
      changes += one.changes.length;
    }
  }
  expect(changes).toBeGreaterThan(8);
});

test('a band is reached with the answer that was told, whichever of its names is asked for', async () => {
  const safe = ['Exceptional', 'Low Risk', 'Moderate Risk'];
  let crossed = 0;
  for (const row of rows.slice(loansLater, loansLater + 12)) {
    const own = known(row);
    const asked = await tenant.client.post(scoredPath, own);
    expect(asked.status, asked.text).toBe(200);
    const target = { output: 'risk_band', band: safe };
    const { body, text } = await find({ inputs: own, target, changeable }, scoredPath);
    expect(body.prediction?.risk_band, text).toBe(asked.body.risk_band);
    const same = { output: 'risk_band', band: asked.body.risk_band };
    const already = await find({ inputs: own, target: same, changeable }, scoredPath);
    expect(already.body.counterfactuals).toMatchObject([{ changes: [], cost: 0 }]);
    for (const one of body.counterfactuals) {
      const changed = Object.fromEntries(
        one.changes.map(({ input, to }: { input: string; to: unknown }) => [input, to]),
      );
      const answer = await tenant.client.post(scoredPath, { ...own, ...changed });
      expect(answer.body, answer.text).toMatchObject(one.outputs);
      expect(safe).toContain(answer.body.risk_band);
      crossed++;
    }
  }
  expect(crossed).toBeGreaterThan(2);
  const unknown = await find({ inputs, target: { output: 'risk_band', band: 'A' }, changeable }, scoredPath);
  expectRefusal(unknown, 422, 'invalid_input', '/target/band');
  expect(unknown.body.detail).toContain('is one of Exceptional, Low Risk');
});

test('what reaches nothing says so, and what is reached already needs no change', async () => {
  const none = await find({ inputs, target: { below: 0.000_000_1 }, changeable: [{ input: 'term' }] });
  expect(none.body, none.text).toMatchObject({
    ...{ found: false, counterfactuals: [], reason: 'none', message: expect.stringContaining('no change reaches') },
    searched: { exhaustive: true },
  });
  const inert = await find({ inputs, target: { below: 0.01 }, changeable: [{ input: 'term', values: [30] }] });
  expect(inert.body, inert.text).toMatchObject({ found: false, reason: 'no_effect', searched: { candidates: 0 } });
  const already = await find({ inputs, target: { below: 1 }, changeable });
  expect(already.body).toMatchObject({ found: true, counterfactuals: [{ changes: [], cost: 0 }] });
});

test('it is in the trail and not among predictions, and counts as one for each thousand cases', async () => {
  await meterAll(service);
  const before = await totals(tenant.client);
  const [kept, told] = [await counted('predictions'), await counted('audit_entries', 'counterfactual-request')];
  const searched = await find({ inputs, target: { below: 0.000_1 }, changeable, most_changes: 2 });
  expect(searched.status, searched.text).toBe(200);
  expect((await find({ inputs, changeable: [] })).body).toMatchObject({ target: null, found: false });
  expect(await counted('predictions')).toBe(kept);
  expect(await counted('audit_entries', 'counterfactual-request')).toBe(told + 2);
  await meterAll(service);
  const counts = 1 + Math.max(1, Math.ceil(searched.body.searched.candidates / 1_000));
  expect((await totals(tenant.client)).predictions - before.predictions).toBe(counts);
});

test('a workspace searches once at a time, and is answered predictions meanwhile', async () => {
  const long = { inputs, target: { below: 0.000_1 }, changeable, most_changes: 4 };
  const [first, second, asked] = await Promise.all([find(long), find(long), tenant.client.post(path, inputs)]);
  const statuses = [first.status, second.status].sort();
  expect(statuses, first.text + second.text).toEqual([200, 429]);
  expectRefusal([first, second].find(({ status }) => status === 429)!, 429, 'rate_limited');
  expect(asked.status).toBe(200);
  expect((await find({ inputs, target: { below: 1 }, changeable })).status).toBe(200);
});

test('what cannot be asked is refused by its place', async () => {
  const target = { below: 0.1 };
  const refusals: readonly (readonly [object, Parameters<typeof expectRefusal>[2], string])[] = [
    [{ inputs, target, changeable: [{ input: 'sex' }] }, 'not_changeable', '/changeable/0/input'],
    [
      { inputs, target, changeable: [{ input: 'term' }, { input: 'granted' }] },
      'not_changeable',
      '/changeable/1/input',
    ],
    [{ inputs, target, changeable: [{ input: 'colour' }] }, 'unknown_input', '/changeable/0/input'],
    [{ inputs, target, changeable: [{ input: 'term' }, { input: 'term' }] }, 'invalid_input', '/changeable/1/input'],
    [{ inputs, changeable }, 'invalid_input', '/target'],
    [{ inputs, target: { below: 0.1, above: 0.2 }, changeable }, 'invalid_input', '/target'],
    [{ inputs, target: { output: 'score', below: 1 }, changeable }, 'invalid_input', '/target/output'],
    [{ inputs, target: { band: 'A' }, changeable }, 'invalid_input', '/target'],
    [{ inputs: { ...inputs, amount: 'much' }, target, changeable }, 'invalid_input', '/inputs/amount'],
    [
      { inputs: { ...inputs, granted: '2999-01-01' }, target, changeable },
      'reference_date_in_future',
      '/inputs/granted',
    ],
    [{ inputs, target, changeable, most_changes: 9 }, 'schema_mismatch', '/most_changes'],
  ];
  for (const [body, code, place] of refusals) expectRefusal(await find(body), 422, code, place);
});
