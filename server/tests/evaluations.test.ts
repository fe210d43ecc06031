/** Evaluations over HTTP: what a version of the shop is worth on a labelled file, and which of two is better. */
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { evaluationSchema } from '../src/resources/evaluations/evaluation.ts';
import type { Reply, TestService } from './service.ts';
import { day, shopText } from './shop.ts';
import { marked } from './world.ts';
import { type Inhabited, startWorlds } from './worlds.ts';

let service: TestService;
let a: Inhabited;
let b: Inhabited;
let file: string;

/** Rows of the two months that the version has learned from, and of the month after, by the rule that makes the labels. */
const later = Array.from(
  { length: 40 },
  (_, c) => `${day(280)},C${c},${c % 3 === 0 || (c + 280) % 11 === 0 ? 1 : 0}\n`,
);
const labelled = shopText('tasks/returns/val.csv') + later.join('');

beforeAll(async () => {
  ({ service, a, b } = await startWorlds());
  file = await a.tenant.client.upload('labelled.csv', marked(a.world.canary, labelled));
});
afterAll(() => service.close());

async function evaluated(body: object): Promise<Reply['body']> {
  const asked = await a.tenant.client.post('/v1/api/evaluations', body);
  expect(asked.status, asked.text).toBe(202);
  expect(asked.body).toMatchObject({ status: 'queued', result: null, fraction: 0 });
  return (await a.tenant.client.get(`/v1/api/evaluations/${asked.body.id}?wait=60`)).body;
}

async function statusesOf(id: string): Promise<unknown[]> {
  const events = await system(service.service.app.db, 'test', (tx) =>
    tx.selectFrom('events').selectAll().where('resource_id', '=', id).orderBy('sequence').execute(),
  );
  return events.map(({ type, payload }) => [type, (payload as { status: string }).status]);
}

test('a version is measured on a file, with what it may have learned from apart, by segment', async () => {
  const { model, alias, version } = a.world;
  const done = await evaluated({ file, model: `${model}/${alias}`, segments: ['segment'] });
  expect(done).toMatchObject({
    ...{ status: 'succeeded', failure: null, fraction: 1, phase: null, path: 'labelled.csv', segments: ['segment'] },
    model: { model_id: model, alias, version_id: version },
    compare_with: null,
  });
  expect([...Compile(evaluationSchema).Errors(done)]).toEqual([]);
  const { rows, learned, outputs, warnings } = done.result;
  expect(rows).toEqual({ read: 120, unreadable: 0, unknown: 0 });
  expect(learned).toEqual({ newest_label: day(250), rows: 80, matched: 80, of: 120 });
  expect(warnings[0]).toContain('80 of 120 rows are from');
  const [{ all, later }] = outputs;
  expect([all.model.rows, later.model.rows]).toEqual([120, 40]);
  expect(later.segments[0].values.map(({ value, rows }: { value: string; rows: number }) => [value, rows])).toEqual([
    ['trade', 20],
    ['retail', 20],
  ]);
  const { value, low, high } = all.model.metrics.auroc;
  expect(value).toBeGreaterThan(all.naive.constant);
  expect([low <= value, value <= high]).toEqual([true, true]);
  expect(await statusesOf(done.id)).toEqual(
    ['queued', 'running', 'succeeded'].map((status) => ['evaluation-lifecycle', status]),
  );
});

test('the columns that a labelled file needs are told, and a file of them is evaluated', async () => {
  const { client } = a.tenant;
  const { model, version, canary } = a.world;
  const { body, status, text } = await client.get(`/v1/api/models/${model}/versions/${version}/labelled-file`);
  expect(status, text).toBe(200);
  expect(body).toMatchObject({
    ...{ model_id: model, version_id: version, newest_label: day(250) },
    columns: [
      { name: 'customer_id', role: 'key', type: 'string', required: true },
      { name: 'date', role: 'time', type: 'timestamp', required: true, sample: day(251) },
      { name: 'returns', role: 'label', output: 'prediction', type: 'boolean', required: true, sample: '1' },
    ],
  });
  expect(body.columns).toHaveLength(3);
  const names = body.columns.map(({ name }: { name: string }) => name);
  const rows = later.map((line) => line.trim().split(',')).map(([date, key, label]) => `${key},${date},${label}`);
  const told = await client.upload('told.csv', marked(canary, `${[names.join(','), ...rows].join('\n')}\n`));
  const done = await evaluated({ file: told, model: `${model}/${version}` });
  expect(done, JSON.stringify(done.failure)).toMatchObject({ status: 'succeeded' });
  expect(done.result.learned).toEqual({ newest_label: day(250), rows: 0, matched: 0, of: 40 });
  // The same days as a spreadsheet writes them: the same figures, and how they were read is told.
  const turned = rows.map((row) => row.replace(/(\d{4})-(\d\d)-(\d\d)/, '$3/$2/$1'));
  const sheet = await client.upload('sheet.csv', marked(canary, `${[names.join(','), ...turned].join('\n')}\n`));
  const same = await evaluated({ file: sheet, model: `${model}/${version}` });
  expect(same.result.outputs).toEqual(done.result.outputs);
  const guessed = turned.every((row) => Number(/\d\d/.exec(row.split(',')[1])![0]) <= 12);
  expect(same.result.warning_codes).toContainEqual({ code: 'day_form', form: 'dd/MM/yyyy', guessed });
  expect(same.result.warnings[0]).toBe(
    `the days of rows are read as dd/MM/yyyy${guessed ? ', though none tells its day from its month: write them as 2026-12-31 to be sure' : ''}`,
  );
});

test('no segment tells who a row is about: keys in any case are refused, and values of few are left out', async () => {
  const { client } = a.tenant;
  const { canary, run } = a.world;
  const refused = await evaluated({ file, model: run, segments: ['CUSTOMER_ID'] });
  expect(refused).toMatchObject({ status: 'failed', result: null });
  expect(refused.failure.detail).toContain('segment CUSTOMER_ID tells who a row is about');
  // Of three rows each, and of ten rows of five months that are of one customer alone.
  const [header, ...rows] = labelled.trim().split('\n');
  const taxed = rows.map((row) => `${row},tax${row.split(',')[1]},${row.includes(',C7,') ? 'blue' : 'red'}`);
  const again = taxed.filter((row) => row.includes(',C7,')).flatMap((row) => [row, row, row]);
  const text = [`${header},tax,colour`, ...taxed, ...again, ''].join('\n');
  const sent = await client.upload('taxed.csv', marked(canary, text));
  const done = await evaluated({ file: sent, model: run, segments: ['tax', 'colour'] });
  expect(done, JSON.stringify(done.failure)).toMatchObject({ status: 'succeeded' });
  const [tax, colour] = done.result.outputs[0].all.segments;
  expect(tax).toMatchObject({ values: [], others: { values: 40, rows: 129 } });
  expect(colour.values).toMatchObject([{ value: 'red', rows: 117 }]);
  expect(colour.others).toEqual({ values: 1, rows: 12 });
  expect(JSON.stringify(done.result)).not.toMatch(/taxC|blue/);
});

test('two versions of the same data cannot be told apart, by the run or by the version that they are named by', async () => {
  const { model, run, spare } = a.world;
  const done = await evaluated({
    file: { path: 'labelled.csv' },
    model: run,
    compare_with: { model_id: model, version_id: spare },
  });
  expect(done).toMatchObject({ status: 'succeeded', compare_with: { version_id: spare, alias: null } });
  expect([...Compile(evaluationSchema).Errors(done)]).toEqual([]);
  // The same labels and tables give the same model.
  const { comparison, model: measured, compare_with } = done.result.outputs[0].later;
  expect(compare_with.metrics).toEqual(measured.metrics);
  expect(comparison).toMatchObject({ better: 'cannot_tell', rank_correlation: 1, decile_changed: 0, mean_change: 0 });
  expect(comparison.gains.auroc).toEqual({ value: 0, low: 0, high: 0 });
});

test('what is not known by the reference date is not read, and labels of later are left out', async () => {
  const done = await evaluated({ file, model: a.world.run, reference_date: day(262) });
  expect(done.reference_date).toBe(day(262));
  const [output] = done.result.outputs;
  // Of the three months, the last lies after that day, and the second is known only after it.
  expect(done.result.rows).toMatchObject({ read: 120, unreadable: 40 });
  expect(output).toMatchObject({ open: 40, all: { model: { rows: 40 } } });
});

test('bad rows are told without their values, and a file that says nothing fails by name and column', async () => {
  const { client } = a.tenant;
  const { canary, run } = a.world;
  const bad = await client.upload('bad.csv', marked(canary, `${labelled}soon,C1,1\n2023-10-08,C2,perhaps\n`));
  const done = await evaluated({ file: bad, model: run });
  expect(done.result.errors).toEqual([
    {
      ...{ row: 121, column: 'date', message: expect.stringContaining('expected a timestamp') },
      because: { code: 'expected_type', type: 'timestamp', examples: ['2024-01-31T18:30:00Z'] },
    },
    { row: 122, column: 'returns', message: 'expected 0 or 1' },
  ]);
  expect(JSON.stringify(done)).not.toMatch(/soon|perhaps/);
  const unlabelled = await client.upload('unlabelled.csv', shopText('tasks/returns/test.csv'));
  const failed = await evaluated({ file: unlabelled, model: run });
  expect(failed).toMatchObject({ status: 'failed', result: null });
  expect(failed.failure.detail).toContain('lacks the label column returns; it has date, customer_id');
});

test('what cannot be asked is refused at once, by field', async () => {
  const { client } = a.tenant;
  const { model, run } = a.world;
  const refused = async (body: object) => {
    const { status, body: problem } = await client.post('/v1/api/evaluations', body);
    return [status, problem.code, problem.detail];
  };
  expect(await refused({ file, model: `${model}/nowhere` })).toEqual([
    404,
    'not_found',
    expect.stringContaining('no version nowhere; give its id, its number or an alias'),
  ]);
  expect(await refused({ file, model: 'run_none' })).toEqual([404, 'not_found', 'there is no training run run_none']);
  expect(await refused({ file: { path: 'nothing.csv' }, model: run })).toEqual([404, 'not_found', expect.any(String)]);
  expect(await refused({ file, model: run, compare_with: b.world.run })).toEqual([
    404,
    'not_found',
    expect.any(String),
  ]);
  expect(await refused({ file, model: run, reference_date: '2999-01-01' })).toMatchObject([
    422,
    'reference_date_in_future',
    expect.stringContaining('lies in the future'),
  ]);
  const { data } = (await client.get('/v1/api/training-runs')).body;
  const encoder = data.find(({ entity }: { entity: string | null }) => entity !== null);
  expect(await refused({ file, model: encoder.id })).toEqual([422, 'invalid', expect.stringContaining('no version')]);
});

test('a version is named by its number too, and an evaluation that waits is interrupted before it begins', async () => {
  const { client } = a.tenant;
  const { model } = a.world;
  const asked = [];
  for (const number of ['1', '2']) {
    const { id: version_id } = (await client.get(`/v1/api/models/${model}/versions/${number}`)).body;
    const { status, body, text } = await client.post('/v1/api/evaluations', { file, model: `${model}/${number}` });
    expect([status, body.model], text).toEqual([
      202,
      { model_id: model, alias: null, version_id, number: expect.any(Number) },
    ]);
    asked.push(body.id);
  }
  const path = `/v1/api/evaluations/${asked[1]}/interrupt`;
  const stopped = await client.post(path);
  expect(stopped.body, stopped.text).toMatchObject({ status: 'interrupted', result: null });
  expect((await client.post(path)).body).toMatchObject({ status: 409, code: 'already_finished' });
  expect((await client.finished(`/v1/api/evaluations/${asked[0]}`)).body.status).toBe('succeeded');
  expect((await statusesOf(asked[1])).at(-1)).toEqual(['evaluation-lifecycle', 'interrupted']);
});

test('columns that a file calls otherwise are read by their mapping, and errors are told in its own names', async () => {
  const { client } = a.tenant;
  const { model, alias, canary } = a.world;
  const target = `${model}/${alias}`;
  const text = marked(canary, labelled);
  const [header, ...rows] = text.trimEnd().split('\n');
  expect(header).toBe('date,customer_id,returns');
  // Its own column of that name is something else.
  const renamed = [
    'Data Ref,date,Quem,Voltou',
    ...rows.map((row) => row.replace(',', ',someday,').replace(/1$/, 'Sim').replace(/0$/, 'não')),
    'never,x,C1,1',
    '2999-01-01,x,C1,1',
  ];
  const other = await client.upload('renamed.csv', `${renamed.join('\n')}\n`);
  const column_mapping = { customer_id: 'Quem', date: 'Data Ref', returns: 'voltou' };
  const plain = await evaluated({ file, model: target, segments: ['segment'] });
  const mapped = await evaluated({ file: other, model: target, column_mapping, segments: ['segment'] });
  expect(mapped.failure).toBe(null);
  expect([plain.column_mapping, mapped.column_mapping]).toEqual([{}, column_mapping]);
  expect(mapped.result.outputs).toEqual(plain.result.outputs);
  expect(mapped.result.rows).toMatchObject({ read: 122, unreadable: 2 });
  expect(mapped.result.errors.map(({ row, column }: { row: number; column: string }) => [row, column])).toEqual([
    [121, 'Data Ref'],
    [122, 'Data Ref'],
  ]);
  const refused = (mapping: object) =>
    client.post('/v1/api/evaluations', { file: other, model: target, column_mapping: mapping });
  const [unknown, twice] = await Promise.all([
    refused({ reference_date: 'Data Ref' }),
    refused({ date: 'Data Ref', returns: 'data ref' }),
  ]);
  expect([unknown.status, unknown.body.errors]).toEqual([
    422,
    [
      {
        code: 'invalid',
        pointer: '/column_mapping/reference_date',
        detail: expect.stringMatching(/has customer_id, date, returns/),
      },
    ],
  ]);
  expect(twice.body.errors).toMatchObject([{ pointer: '/column_mapping/returns' }]);
  const lacking = await evaluated({ file: other, model: target, column_mapping: { date: 'Dia' } });
  expect(lacking).toMatchObject({ status: 'failed', failure: { code: 'invalid' } });
  expect(lacking.failure.detail).toMatch(/lacks Dia, named in column_mapping; it has Data Ref, date, Quem, Voltou/);
});
