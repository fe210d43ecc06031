/** Rows for several versions. The answers of the versions are replaced by what they were asked. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sampleContract, type TableSample } from '../../../tests/samples.ts';
import type { Column, LogicalType, Rows } from '../../lib/files/column.ts';
import { readChunks } from '../../lib/files/read.ts';
import type { OpenVersion, PredictOptions } from '../../ml/inference/predict.ts';
import type { Field } from '../../ml/version/schema.ts';
import { eventDaysOf } from '../event-days.ts';
import { momentAt } from './moments.ts';
import type { RowProblem } from './problem.ts';
import { addRowWarnings, type RowWarnings } from './row-warnings.ts';
import { openScorer } from './score.ts';
import type { OpenTarget } from './targets.ts';

const folder = mkdtempSync(join(tmpdir(), 'score-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Input = Pick<Field, 'name' | 'type'> & Partial<Field>;

/** A target that records what it was asked and answers with its inputs. */
function target(
  id: string,
  inputs: readonly Input[],
  missingValues?: readonly string[],
  learnedFrom: number | null = null,
) {
  const asked: { rows: Rows; options: PredictOptions }[] = [];
  const sample: TableSample = {
    name: 'things',
    key: inputs[0].name,
    columns: Object.fromEntries(inputs.map(({ name, type }) => [name, type])),
  };
  const [table] = sampleContract([sample]).tables;
  const marked = {
    ...table,
    columns: table.columns.map((column) => ({ ...column, ...(missingValues && { missingValues }) })),
  };
  const fields = inputs.map((input) => ({ required: false, description: '', pii: false, ...input }));
  const missing = (rows: number, type: LogicalType): Column =>
    type === 'string'
      ? { kind: 'text', codes: new Int32Array(rows).fill(-1), dictionary: [] }
      : { kind: 'number', values: new Float64Array(rows).fill(Number.NaN) };
  const opened = {
    learnedFrom,
    version: { task: { entity: 'things' }, contract: { tables: [marked] }, inputFields: fields },
    columns: [...inputs.map(({ name, type }) => ({ name, type })), { name: 'as_of', type: 'timestamp' }],
    predict(rows: Rows, options: PredictOptions): Rows {
      asked.push({ rows, options });
      const columns = new Map(
        inputs.map(({ name, type }) => [name, rows.columns.get(name) ?? missing(rows.rows, type)]),
      );
      const { asOf } = options;
      const values = typeof asOf === 'number' ? new Float64Array(rows.rows).fill(asOf) : asOf;
      return { rows: rows.rows, columns: columns.set('as_of', { kind: 'time', values }) };
    },
  } as unknown as OpenVersion;
  return { asked, target: { opened, told: { model_id: `mdl_${id}`, version_id: `ver_${id}` } } satisfies OpenTarget };
}

const noEvents = eventDaysOf([]);

async function score(
  content: string,
  targets: readonly OpenTarget[],
  fallback: number | null = null,
  isDayGiven = false,
  eventDays = noEvents,
) {
  const path = join(folder, 'rows.csv');
  writeFileSync(path, content);
  const header = content.split('\n', 1)[0].split(',');
  const now = Date.parse('2026-01-31T12:00:00Z');
  const options = {
    targets,
    eventDays,
    fallback,
    timeZone: 'UTC',
    language: 'en',
    now,
    usual: momentAt('UTC', now),
  } as const;
  const endpoints = Object.fromEntries(targets.map(({ told }, index) => [`${told.model_id}/production`, index]));
  const scorer = openScorer(
    { ...options, isDayGiven, endpoints: header.includes('endpoint') ? endpoints : null },
    { has: (name) => header.includes(name), isSeen: (name) => header.includes(name) },
  );
  const rows: Record<string, unknown>[] = [];
  const errors: RowProblem[] = [];
  let warnings: RowWarnings = {};
  for await (const chunk of readChunks(path, scorer.requests, { keepsRejects: true })) {
    const scored = scorer.score(chunk);
    warnings = addRowWarnings(warnings, scored.warnings);
    errors.push(...scored.problems);
    for (let row = 0; row < scored.rows.rows; row++)
      rows.push(
        Object.fromEntries(
          scorer.columns.map(({ name }) => {
            const column = scored.rows.columns.get(name)!;
            if (column.kind === 'text') return [name, column.dictionary[column.codes[row]] ?? null];
            return [name, Number.isNaN(column.values[row]) ? null : column.values[row]];
          }),
        ),
      );
  }
  return { rows, errors, warnings };
}

test('rows that ask of days past the data by more than these were ever silent are counted', async () => {
  const day = (text: string) => Date.parse(text) * 1000;
  const time = Float64Array.from(['2026-01-01', '2026-01-05', '2026-01-10'], day);
  const lines = ['id,reference_date', 'a,2026-01-09', 'b,2026-01-15', 'c,2026-01-16', 'd,'];
  const { target: asked } = target('n', [{ name: 'id', type: 'string' }]);
  const { warnings } = await score(lines.join('\n'), [asked], 0, false, eventDaysOf([{ time }]));
  // At most 5 days were silent. The 15th is 5 after the newest; the 16th, and the 31st of rows without a date, more.
  expect(warnings).toEqual({ stale_data: { 5: { rows: 2, first: [3, 4] } } });
});

test('rows that ask of moments before all that was learned from are counted', async () => {
  const learnedFrom = Date.parse('2023-06-15') * 1000;
  const { target: asked } = target('n', [{ name: 'id', type: 'string' }], undefined, learnedFrom);
  const { warnings } = await score('id,reference_date\na,2023-06-13\nb,2023-06-14\nc,2023-06-15\n', [asked], 0);
  expect(warnings).toEqual({ before_learned: { '2023-06-15': { rows: 2, first: [1, 2] } } });
});

test('a column that models read differently is to each what it declares', async () => {
  const number = target('n', [
    { name: 'id', type: 'string' },
    { name: 'size', type: 'number', required: true },
  ]);
  const text = target('t', [
    { name: 'id', type: 'string' },
    { name: 'size', type: 'string' },
  ]);
  const { asked } = number;
  const lines = [
    'id,size,endpoint',
    'a,1.5,mdl_n/production',
    'b,big,mdl_t/production',
    'c,big,mdl_n/production',
    'd,,mdl_n/production',
  ];
  // The answers hold `size` with the type in which it was asked; no file can have both types.
  await expect(score(lines.join('\n'), [number.target, text.target])).rejects.toThrow(
    'different types (number, string)',
  );
  const other = {
    ...text.target,
    opened: {
      ...text.target.opened,
      columns: [
        { name: 'id', type: 'string' },
        { name: 'as_of', type: 'timestamp' },
      ],
    },
  };
  const { rows, errors } = await score(lines.join('\n'), [number.target, other as OpenTarget]);
  expect(rows.map(({ id, size, version_id }) => [id, size, version_id])).toEqual([
    ['a', 1.5, 'ver_n'],
    ['b', null, 'ver_t'],
  ]);
  expect(errors).toMatchObject([
    { row: 3, column: 'size', code: 'invalid_input' },
    { row: 4, column: 'size', code: 'missing_input' },
  ]);
  expect(asked[0].rows.columns.get('size')).toEqual({ kind: 'number', values: Float64Array.of(1.5) });
  expect(text.asked[0].rows.columns.get('size')).toEqual({
    kind: 'text',
    codes: Int32Array.of(1),
    dictionary: ['1.5', 'big'],
  });
});

test('what stands for a missing value is missing to the model whose contract says so', async () => {
  const inputs = [
    { name: 'id', type: 'string' },
    { name: 'size', type: 'number' },
  ] as const;
  const [marked, plain] = [target('m', inputs, ['NA']), target('p', inputs)];
  const content = 'id,size,endpoint\na,NA,mdl_m/production\nb,NA,mdl_p/production\nc,7,mdl_m/production\n';
  const { rows, errors } = await score(content, [marked.target, plain.target]);
  expect(rows.map(({ id, size }) => [id, size])).toEqual([
    ['a', null],
    ['c', 7],
  ]);
  expect(errors).toMatchObject([{ row: 2, column: 'size', code: 'invalid_input' }]);
  const alone = await score('id,size\na,NA\n', [marked.target], 0);
  expect({ rows: alone.rows.map(({ size }) => size), errors: alone.errors }).toEqual({ rows: [null], errors: [] });
});

test('rows come back in their order, whatever model each is for', async () => {
  const targets = ['x', 'y', 'z'].map((id) => target(id, [{ name: 'id', type: 'string', required: true }]));
  const lines = Array.from({ length: 500 }, (_, row) => `r${row},mdl_${'xyz'[(row * 7) % 3]}/production`);
  const { rows } = await score(
    `id,endpoint\n${lines.join('\n')}\n`,
    targets.map((one) => one.target),
  );
  expect(rows.map(({ id, model_id }) => `${id},${model_id}/production`)).toEqual(lines);
});

const opened = { name: 'opened', type: 'date', required: true, dates_row: 'past' } as const;

test('a new row needs a date that has come, or a day to stand at', async () => {
  const loans = target('l', [{ name: 'id', type: 'string' }, opened]);
  const content = 'id,opened,reference_date\na,2026-01-31,\nb,,\nc,,2026-01-30\nd,2031-01-01,2026-01-30\n';
  const { rows, errors } = await score(content, [loans.target], 0);
  expect(rows.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(errors).toMatchObject([
    {
      ...{ row: 2, column: 'opened', code: 'missing_input' },
      message: 'the value is missing and dates the row: give it, or reference_date for the row to stand at',
    },
    {
      ...{ row: 4, column: 'opened', code: 'reference_date_in_future' },
      message: '2031-01-01 lies in the future, and dates the row; today is 2026-01-31',
    },
  ]);
  const ofDay = await score('id\na\n', [loans.target], 0, true);
  expect(ofDay.rows.map(({ id }) => id)).toEqual(['a']);
});

test('a number out of the range that an input declares is refused as in a request', async () => {
  const sized = target('s', [
    { name: 'id', type: 'string' },
    { name: 'size', type: 'number', minimum: 0 },
  ]);
  const { rows, errors } = await score('id,size\na,-5\nb,0\nc,\n', [sized.target], 0);
  expect(rows.map(({ id }) => id)).toEqual(['b', 'c']);
  expect(errors).toMatchObject([
    { row: 1, column: 'size', code: 'invalid_input', message: 'must be at least 0, and is -5' },
  ]);
});

test('a file may have an input under another name, and not under two', async () => {
  const inputs: Input[] = [
    { name: 'id', type: 'string' },
    { name: 'fee', type: 'number', aliases: ['freight'] },
  ];
  const one = target('n', inputs);
  const { rows, errors } = await score('id,freight\na,1.5\nb,much\n', [one.target], 0);
  expect(rows).toMatchObject([{ id: 'a', fee: 1.5 }]);
  expect(errors).toMatchObject([{ row: 2, column: 'freight', code: 'invalid_input' }]);
  await expect(score('id,freight,fee\na,1.5,2\n', [one.target], 0)).rejects.toThrow('the file has fee and freight');
});

test('a name is to each version the input that it has by it', async () => {
  const renamed = target('n', [
    { name: 'id', type: 'string' },
    { name: 'fee', type: 'number', aliases: ['freight'] },
  ]);
  const own = target('t', [
    { name: 'id', type: 'string' },
    { name: 'freight', type: 'number' },
  ]);
  const text = 'id,freight,endpoint\na,1,mdl_n/production\nb,2,mdl_t/production\n';
  const { rows } = await score(text, [renamed.target, own.target]);
  expect(rows).toMatchObject([
    { id: 'a', fee: 1, freight: null },
    { id: 'b', fee: null, freight: 2 },
  ]);
});
