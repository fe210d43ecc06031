import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cells } from '../../../tests/support/samples/lib-files.ts';
import { type Column, type Rows, textColumn } from './column.ts';
import { describeFile, readTable } from './read.ts';
import { openWriter } from './write.ts';
import type { WriteColumn } from './writer.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-files-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const formats = ['parquet', 'csv', 'jsonl'] as const;

/** Makes a text column; null is missing. */
function texts(values: readonly (string | null)[]): Column {
  const dictionary = [...new Set(values.filter((value) => value !== null))];
  const code = new Map(dictionary.map((value, index) => [value, index]));
  return {
    kind: 'text',
    codes: Int32Array.from(values, (value) => (value === null ? -1 : code.get(value)!)),
    dictionary,
  };
}

const numbers = (...values: number[]): Column => ({ kind: 'number', values: Float64Array.from(values) });
const times = (...values: number[]): Column => ({ kind: 'time', values: Float64Array.from(values) });
const us = (iso: string) => Date.parse(iso) * 1000;

const columns: WriteColumn[] = [
  { name: 'id', type: 'integer' },
  { name: 'a "name", quoted', type: 'string' },
  { name: 'x', type: 'number' },
  { name: 'ok', type: 'boolean' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'timestamp' },
  { name: 'clock', type: 'time' },
];
const rows: Rows = {
  rows: 3,
  columns: new Map<string, Column>([
    ['id', numbers(9007199254740991, -3, Number.NaN)],
    ['a "name", quoted', texts(['José; "q", 1\r\n2', null, '\\N'])],
    ['x', numbers(0.1 + 0.2, 1e300, Number.NaN)],
    ['ok', numbers(1, 0, Number.NaN)],
    ['day', times(us('2024-02-29'), us('1899-12-31'), Number.NaN)],
    ['at', times(us('2024-02-29T10:20:30Z') + 123_456, us('1969-12-31T23:59:59Z'), Number.NaN)],
    ['clock', times(37_230_500_000, 0, Number.NaN)],
  ]),
};

describe('a file that is written', () => {
  test.each(formats)('reads back the same from %s', async (format) => {
    const path = join(folder, `round.${format}`);
    const writer = await openWriter(path, format, columns);
    await writer.write(rows);
    await writer.close();
    const read = await readTable([path], columns);
    expect(read.rejectedTotal).toBe(0);
    expect(read.warnings).toEqual([]);
    expect(read.rows).toEqual(rows);
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
  });

  test('as CSV says numbers shortly and dates in ISO 8601', async () => {
    const path = join(folder, 'text.csv');
    const writer = await openWriter(path, 'csv', columns);
    await writer.write(rows);
    await writer.close();
    expect(readFileSync(path, 'utf8')).toBe(
      'id,"a ""name"", quoted",x,ok,day,at,clock\n' +
        '9007199254740991,"José; ""q"", 1\r\n2",0.30000000000000004,true,2024-02-29,2024-02-29T10:20:30.123456Z,10:20:30.5\n' +
        '-3,,1e+300,false,1899-12-31,1969-12-31T23:59:59Z,00:00:00\n' +
        ',"\\N",,,,,\n',
    );
  });

  test.each(formats)(
    'has times of no known zone without one, and reads them back the same, from %s',
    async (format) => {
      const path = join(folder, `local.${format}`);
      const writer = await openWriter(path, format, [{ name: 'at', type: 'timestamp', isLocal: true }]);
      const at = times(us('2024-02-29T10:20:30Z') + 123_456);
      await writer.write({ rows: 1, columns: new Map([['at', at]]) });
      await writer.close();
      if (format !== 'parquet') expect(readFileSync(path, 'utf8')).toMatch(/[\n"]2024-02-29T10:20:30\.123456["\n]/);
      const read = await readTable([path], [{ name: 'at', type: 'timestamp' }]);
      expect(read.rows.columns.get('at')).toEqual(at);
    },
  );

  test('as CSV has an apostrophe before what a spreadsheet would run, and nothing before numbers', async () => {
    const texts = [
      '=1+1',
      '+cmd|x',
      '-a',
      '@SUM(A1)',
      '\tx',
      '\rx',
      '\n=1',
      '＝1',
      '-5',
      '+3.2',
      '-1,5',
      '-4e3',
      '+55 11 9',
      '-',
      'a=b',
      "'=1",
      '',
    ];
    const columns = [
      { name: '=name', type: 'string' },
      { name: 'v', type: 'number' },
    ] as const;
    const rows = {
      rows: texts.length,
      columns: new Map<string, Column>([
        ['=name', textColumn(texts)],
        ['v', { kind: 'number', values: Float64Array.from(texts, (_, i) => -1 - i) }],
      ]),
    };
    const read = async (formulas: 'escape' | 'raw') => {
      const path = join(folder, `${formulas}.csv`);
      const writer = await openWriter(path, 'csv', columns, { formulas });
      await writer.write(rows);
      await writer.close();
      const name = formulas === 'escape' ? "'=name" : '=name';
      const found = await readTable(
        [path],
        [
          { name, type: 'string' },
          { name: 'v', type: 'number' },
        ],
      );
      expect(cells(found.rows, 'v')).toEqual(texts.map((_, i) => -1 - i));
      return cells(found.rows, name);
    };
    const kept = ['-5', '+3.2', '-1,5', '-4e3', 'a=b', "'=1", null];
    const escaped = ["'=1+1", "'+cmd|x", "'-a", "'@SUM(A1)", "'\tx", "'\rx", "'\n=1", "'＝1"];
    expect(await read('escape')).toEqual([...escaped, ...kept.slice(0, 4), "'+55 11 9", "'-", ...kept.slice(4)]);
    expect(await read('raw')).toEqual(texts.map((text) => (text === '' ? null : text)));
  });

  test('as CSV for Excel has semicolons and decimal commas, and reads back', async () => {
    const columns = [
      { name: 'who; where', type: 'string' },
      { name: 'v', type: 'number' },
      { name: 'n', type: 'integer' },
    ] as const;
    const numbers = [0.25, -1234567.5, 1.5e-9, Number.NaN, 1 / 3];
    const rows = {
      rows: 5,
      columns: new Map<string, Column>([
        ['who; where', textColumn(['São Paulo', 'a;b', 'a,b', '1.5', null])],
        ['v', { kind: 'number', values: Float64Array.from(numbers) }],
        ['n', { kind: 'number', values: Float64Array.of(1, 2_000_000, 3, 4, 5) }],
      ]),
    };
    const path = join(folder, 'excel.csv');
    const writer = await openWriter(path, 'csv', columns, { formulas: 'escape', dialect: 'excel_semicolon' });
    await writer.write(rows);
    await writer.close();
    expect(readFileSync(path, 'utf8').split('\n')).toEqual([
      '\ufeff"who; where";v;n',
      'São Paulo;0,25;1',
      '"a;b";-1234567,5;2000000',
      'a,b;1,5e-9;3',
      '1.5;;4',
      ';0,3333333333333333;5',
      '',
    ]);
    const found = await readTable(
      [path],
      columns.map(({ name }) => ({ name, type: 'string' as const })),
    );
    expect(cells(found.rows, 'who; where')).toEqual(['São Paulo', 'a;b', 'a,b', '1.5', null]);
    expect(cells(found.rows, 'n')).toEqual(['1', '2000000', '3', '4', '5']);
  });

  test('as JSONL has every key on every line', async () => {
    const path = join(folder, 'text.jsonl');
    const writer = await openWriter(path, 'jsonl', columns);
    await writer.write(rows);
    await writer.close();
    const lines = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines[1]).toEqual({
      id: -3,
      'a "name", quoted': null,
      x: 1e300,
      ok: false,
      day: '1899-12-31',
      at: '1969-12-31T23:59:59Z',
      clock: '00:00:00',
    });
  });

  test('as Parquet has its types and row groups of 98,304, whatever the pieces were', async () => {
    const path = join(folder, 'groups.parquet');
    const writer = await openWriter(path, 'parquet', columns);
    const piece = 3_333;
    for (let part = 0; part < 75; part++) {
      const ids = Float64Array.from({ length: piece }, (_, row) => part * piece + row);
      const map = new Map<string, Column>([...rows.columns].map(([name, column]) => [name, repeated(column, piece)]));
      map.set('id', { kind: 'number', values: ids });
      await writer.write({ rows: piece, columns: map });
    }
    await writer.close();
    const found = await describeFile(path);
    expect(found).toMatchObject({ rows: 75 * piece, rowGroupRowsMax: 98_304 });
    expect(found.columns).toEqual(columns);
    const ids = (await readTable([path], columns)).rows.columns.get('id') as { values: Float64Array };
    for (let row = 0; row < 75 * piece; row++)
      if (ids.values[row] !== row) throw new Error(`row ${row} is out of place`);
  });

  test.each(formats)('without rows is still a table, as %s', async (format) => {
    const path = join(folder, `none.${format}`);
    const writer = await openWriter(path, format, columns);
    await writer.close();
    if (format === 'jsonl') expect(readFileSync(path, 'utf8')).toBe('');
    else expect((await readTable([path], columns)).rows.rows).toBe(0);
  });

  test.each(formats)('and given up leaves nothing behind, as %s', async (format) => {
    const path = join(folder, `gone.${format}`);
    const writer = await openWriter(path, format, columns);
    await writer.write(rows);
    await writer.abort();
    expect(readdirSync(folder).filter((name) => name.startsWith('gone'))).toEqual([]);
  });

  test.each(formats)('takes no infinity and no fraction of an integer, as %s', async (format) => {
    for (const [type, value] of [
      ['number', Number.POSITIVE_INFINITY],
      ['integer', 1.5],
      ['boolean', 2],
    ] as const) {
      const writer = await openWriter(join(folder, `bad.${format}`), format, [{ name: 'v', type }]);
      const bad = { rows: 1, columns: new Map([['v', numbers(value)]]) };
      await expect(writer.write(bad)).rejects.toThrow('cannot hold');
      await writer.abort();
    }
  });

  test('any texts and numbers survive CSV and JSONL', async () => {
    const cell = fc.option(fc.string({ unit: 'grapheme', minLength: 1 }).filter((value) => !value.includes('\0')));
    const awkward = fc.option(fc.stringMatching(/^[a",;\t|\r\n \\N]{1,6}$/));
    const row = fc.tuple(cell, awkward, fc.double({ noDefaultInfinity: true }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 20 }),
        fc.constantFrom('csv', 'jsonl'),
        async (cells, format) => {
          const path = join(folder, `any.${format}`);
          const written: WriteColumn[] = [
            { name: 'a', type: 'string' },
            { name: 'b', type: 'string' },
            { name: 'x', type: 'number' },
          ];
          const columnA = texts(cells.map((values) => values[0]));
          const columnB = texts(cells.map((values) => values[1]));
          const x = numbers(...cells.map((values) => values[2]));
          const all = {
            rows: cells.length,
            columns: new Map([
              ['a', columnA],
              ['b', columnB],
              ['x', x],
            ]),
          };
          const writer = await openWriter(path, format as 'csv' | 'jsonl', written);
          await writer.write(all);
          await writer.close();
          const read = await readTable([path], written);
          expect(read.rejectedTotal).toBe(0);
          expect(read.rows).toEqual(all);
        },
      ),
      { numRuns: 100 },
    );
  }, 30_000);

  test('whole numbers are written as JavaScript writes them', async () => {
    const edges = Array.from({ length: 17 }, (_, power) => [10 ** power - 1, 10 ** power, 10 ** power + 1]).flat();
    const values = [
      ...edges,
      ...edges.map((value) => -value),
      2 ** 31,
      2 ** 32,
      1e21,
      ...edges.map((value) => value / 2),
    ];
    const path = join(folder, 'whole.csv');
    const writer = await openWriter(path, 'csv', [{ name: 'v', type: 'number' }]);
    await writer.write({ rows: values.length, columns: new Map([['v', numbers(...values)]]) });
    await writer.close();
    expect(readFileSync(path, 'utf8').trimEnd().split('\n').slice(1)).toEqual(
      values.map((value) => (Object.is(value, -0) ? '-0' : String(value))),
    );
  });

  test('numbers of few decimals are written as JavaScript writes them', async () => {
    const value = fc
      .tuple(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), fc.integer({ min: 0, max: 15 }))
      .map(([digits, decimals]) => Number(`${digits}e-${decimals}`));
    const given = [
      ...[1e-6, 0.999999e-6, 999_999.999999999, 1e6, 123.456, 0.1 + 0.2, 0.5, 0.0001, 0.9999, 4.35, 1.005],
      ...fc.sample(value, { numRuns: 3_000, seed: 5 }),
      ...fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { numRuns: 500, seed: 6 }),
    ].filter((number) => number !== 0);
    for (const format of ['csv', 'jsonl'] as const) {
      const path = join(folder, `decimals.${format}`);
      const writer = await openWriter(path, format, [{ name: 'v', type: 'number' }]);
      await writer.write({ rows: given.length, columns: new Map([['v', numbers(...given)]]) });
      await writer.close();
      const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
      expect(format === 'csv' ? lines.slice(1) : lines.map((line) => line.slice('{"v":'.length, -1))).toEqual(
        given.map(String),
      );
    }
  });

  test('numbers of 32 bits are written as the same numbers of 64', async () => {
    const given = Float32Array.of(0.1, -2.5, 3, Number.NaN, 1e-8, 16_777_216);
    for (const format of ['csv', 'jsonl', 'parquet'] as const) {
      const written = await Promise.all(
        [given, Float64Array.from(given)].map(async (values) => {
          const path = join(folder, `${values.constructor.name}.${format}`);
          const writer = await openWriter(path, format, [{ name: 'v', type: 'number' }]);
          await writer.write({ rows: given.length, columns: new Map([['v', { kind: 'number', values }]]) });
          await writer.close();
          return readFileSync(path);
        }),
      );
      expect(written[0].equals(written[1])).toBe(true);
    }
  });

  test('cells that are alike in all rows stand in each of them', async () => {
    const alike: [string, Column][] = [
      ['a', texts(['"x"', '"x"', '"x"'])],
      ['n', numbers(1, 2, Number.NaN)],
      ['b', texts([null, null, null])],
      ['c', numbers(-0, -0, -0)],
      ['d', numbers(-0, 0, -0)],
    ];
    const columns: WriteColumn[] = [
      { name: 'a', type: 'string' },
      { name: 'n', type: 'number' },
      { name: 'b', type: 'string' },
      { name: 'c', type: 'number' },
      { name: 'd', type: 'number' },
    ];
    const path = join(folder, 'alike.csv');
    const writer = await openWriter(path, 'csv', columns);
    await writer.write({ rows: 3, columns: new Map(alike) });
    await writer.write({ rows: 0, columns: new Map(alike.map(([name, column]) => [name, emptied(column)])) });
    await writer.write({ rows: 1, columns: new Map(alike) });
    await writer.close();
    expect(readFileSync(path, 'utf8')).toBe(
      'a,n,b,c,d\n"""x""",1,,-0,-0\n"""x""",2,,-0,0\n"""x""",,,-0,-0\n"""x""",1,,-0,-0\n',
    );
  });

  test('more text than is kept waiting arrives whole', async () => {
    const path = join(folder, 'long.jsonl');
    const long = ['é'.repeat(700_000), 'x'.repeat(3_000_000), `${'a'.repeat(40)}é`, 'b'.repeat(49)];
    const writer = await openWriter(path, 'jsonl', [{ name: 'v', type: 'string' }]);
    for (let piece = 0; piece < 2; piece++)
      await writer.write({ rows: long.length, columns: new Map([['v', texts(long)]]) });
    await writer.close();
    const read = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(read.map((line) => (JSON.parse(line) as { v: string }).v)).toEqual([...long, ...long]);
  });

  test('a single column of missing values keeps its rows', async () => {
    const path = join(folder, 'single.csv');
    const writer = await openWriter(path, 'csv', [{ name: 'v', type: 'number' }]);
    const single = { rows: 3, columns: new Map([['v', numbers(1, Number.NaN, 3)]]) };
    await writer.write(single);
    await writer.close();
    expect((await readTable([path], [{ name: 'v', type: 'number' }])).rows).toEqual(single);
  });
});

function emptied(column: Column): Column {
  return column.kind === 'text' ? { ...column, codes: new Int32Array(0) } : { ...column, values: new Float64Array(0) };
}

function repeated(column: Column, rows: number): Column {
  const pick = (row: number) => row % 3;
  if (column.kind === 'text')
    return { ...column, codes: Int32Array.from({ length: rows }, (_, row) => column.codes[pick(row)]) };
  return { ...column, values: Float64Array.from({ length: rows }, (_, row) => column.values[pick(row)]) };
}
