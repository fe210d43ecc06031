import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Failure } from '../../lib/failure.ts';
import type { LogicalType, Rows } from '../../lib/files/column.ts';
import { readTable } from '../../lib/files/read.ts';
import type { Field } from '../../ml/version/schema.ts';
import { readBody } from './body.ts';

/** The last microsecond of 2026-01-31. */
const today = Date.parse('2026-02-01') * 1000 - 1;

test('a required input that the body lacks is missing, though every object has something of that name', () => {
  const inputs = [{ name: 'constructor', type: 'string' as const, required: true }] as unknown as Parameters<
    typeof readBody
  >[1];
  expect(() => readBody({}, inputs, {}, today)).toThrow('constructor: required by this version');
  expect(readBody({ constructor: 'Lotus' }, inputs, {}, today).rows.columns.get('constructor')).toMatchObject({
    dictionary: ['Lotus'],
  });
});

test.each(['correlation_id', 'reference_id'])('a long %s is refused, since it is kept and repeated', (name) => {
  expect(() => readBody({ [name]: 'x'.repeat(1_000) }, [], {}, today)).not.toThrow();
  expect(() => readBody({ [name]: 'x'.repeat(1_001) }, [], {}, today)).toThrow(
    /must have at most 1000 characters, and has 1001/,
  );
});

test('of thousands of unknown inputs some are told', () => {
  const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`input${at}`, 1]));
  expect(() => readBody(body, [], {}, today)).toThrow(/ and 4980 more; it takes /);
});

describe('values convert as those of a line of JSONL do', () => {
  const types = ['string', 'integer', 'number', 'boolean', 'date', 'timestamp', 'time'] as const;
  const values = [
    ...[
      '3714',
      ' 3714 ',
      '1e3',
      '1,5',
      '-0.5',
      '3.0',
      '1e30',
      'abc',
      'yes',
      'TRUE',
      '2024-01-31',
      '18:30',
      '',
      'NA',
      ' NA',
    ],
    ...['2024-01-31T00:00:00Z', '2024-01-31 18:30:00', 3714, -1.5, 0, 1, true, false, null, [1], { a: 1 }],
  ];
  const folder = mkdtempSync(join(tmpdir(), 'body-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(types)('as %s', async (type) => {
    const request = { name: 'x', type, missing: ['NA'], isStrict: true };
    for (const [at, value] of values.entries()) {
      const path = join(folder, `${type}-${at}.jsonl`);
      writeFileSync(path, `${JSON.stringify({ x: value })}\n`);
      const { rows, rejects } = await readTable([path], [request]);
      const fromFile = rejects.length > 0 ? rejects.map(({ reason }) => reason) : cellOf(rows);
      expect([value, read(type, value)]).toEqual([value, fromFile]);
    }
  });

  test('a text of digits is beyond the range of whole numbers only if it is', () => {
    expect(read('integer', '3714')).toBe(3714);
    expect(read('integer', 'abc')).toEqual(['expected a whole number, found "abc"']);
    for (const beyond of ['9007199254740992', 9007199254740992, '1e30'])
      expect(read('integer', beyond)).toEqual([expect.stringContaining('is beyond ±9007199254740991')]);
  });

  test('a number for a text stands for its digits, unless JSON has rounded them', () => {
    expect(read('string', 3714)).toBe('3714');
    expect(read('string', 2 ** 60)).toEqual([expect.stringContaining('send it as a text')]);
  });

  test('a number that came as a text is kept as the number by which it can be erased', () => {
    const inputs = [fieldOf('integer')];
    expect(readBody({ x: ' 3714', reference_id: '7' }, inputs, {}, today).kept).toEqual({ x: 3714, reference_id: '7' });
    expect(readBody({ x: 'NA' }, inputs, { x: ['NA'] }, today).kept).toEqual({ x: 'NA' });
  });

  test('a required input is missing where its text means so', () => {
    const inputs = [{ ...fieldOf('integer'), required: true }];
    for (const value of ['', 'NA', ' NA', null])
      expect(() => readBody({ x: value }, inputs, { x: ['NA'] }, today)).toThrow('x: required by this version');
  });

  /** What a body with the value reads as; a list of messages where it is refused. */
  function read(type: LogicalType, value: unknown) {
    try {
      return cellOf(readBody({ x: value }, [fieldOf(type)], { x: ['NA'] }, today).rows);
    } catch (error) {
      return (error as Failure).problems.map(({ message }) => message);
    }
  }
});

function fieldOf(type: LogicalType): Field {
  return { name: 'x', type, required: false, description: '', example: null, pii: false } as unknown as Field;
}

function cellOf({ columns }: Rows): number | string | null {
  const column = columns.get('x')!;
  if (column.kind === 'text') return column.codes[0] < 0 ? null : column.dictionary[column.codes[0]];
  return Number.isNaN(column.values[0]) ? null : column.values[0];
}

describe('the values of a new row', () => {
  const opened = { ...fieldOf('date'), name: 'opened', required: true, dates_row: 'past' } as const;
  const ask = (body: object, inputs: readonly Field[] = [opened]) => {
    try {
      return readBody(body as Record<string, unknown>, inputs, {}, today).rows.columns.get('opened');
    } catch (error) {
      const { reason, problems } = error as Failure;
      return { reason, problems };
    }
  };

  test('need the date that it stands at, or a reference date', () => {
    for (const body of [{}, { opened: null }, { reference_date: null }])
      expect(ask(body)).toMatchObject({
        reason: 'missing_input',
        problems: [
          { at: '/opened', message: 'is required by this version: it dates the row, unless reference_date is given' },
        ],
      });
    expect(ask({ reference_date: '2026-01-01' })).toBeUndefined();
  });

  test('date it up to today, unless its date is planned', () => {
    expect(ask({ opened: '2026-01-31' })).toMatchObject({ kind: 'time' });
    expect(ask({ opened: '2031-01-01', reference_date: '2026-01-01' })).toMatchObject({
      reason: 'reference_date_in_future',
      problems: [{ at: '/opened', message: '2031-01-01 lies in the future, and dates the row; today is 2026-01-31' }],
    });
    expect(ask({ opened: '2031-01-01' }, [{ ...opened, dates_row: 'any' }])).toMatchObject({ kind: 'time' });
  });

  test.each<[{ minimum?: number; maximum?: number }, unknown, string]>([
    [{ minimum: 0 }, -5, 'must be at least 0, and is -5'],
    [{ maximum: 10 }, '11', 'must be at most 10, and is 11'],
    [{ minimum: 0, maximum: 10 }, 10.5, 'must be from 0 to 10, and is 10.5'],
  ])('lie within the range %j: %j does not', (range, value, message) => {
    const inputs = [{ ...fieldOf('number'), ...range }];
    const because = { code: 'out_of_range', found: Number(value) };
    const problems = [{ at: '/x', message, because }];
    expect(ask({ x: value }, inputs)).toMatchObject({ reason: 'invalid_input', problems });
    for (const inside of [0, 10, null]) expect(ask({ x: inside }, inputs)).toBeUndefined();
  });
});

test('an input may come under another name of its column, under one at a time, and is kept under its own', () => {
  const fee = { ...fieldOf('number'), name: 'fee', aliases: ['freight', 'carriage'], maximum: 9, required: true };
  const read = readBody({ freight: '3' }, [fee], {}, today);
  expect(read.rows.columns.get('fee')).toMatchObject({ values: Float64Array.of(3) });
  expect(read.kept).toEqual({ fee: 3 });
  const problemsOf = (body: object) => {
    try {
      readBody(body as Record<string, unknown>, [fee], {}, today);
    } catch (error) {
      return (error as Failure).problems.map(({ at }) => at);
    }
  };
  expect(problemsOf({ freight: 10 })).toEqual(['/freight']);
  expect(problemsOf({ fee: 10 })).toEqual(['/fee']);
  expect(problemsOf({ freight: 3, fee: 3 })).toEqual(['/fee', '/freight']);
  expect(() => readBody({ freight: 3, carriage: 3 }, [fee], {}, today)).toThrow(
    'freight, carriage are names of one input',
  );
});
