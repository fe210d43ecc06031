import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cells, refusal, saveParquet, text, us } from '../../../tests/support/samples/lib-files.ts';
import { type ColumnRequest, readChunks, readTable } from './read.ts';

describe('Parquet', () => {
  test('physical types convert to the types asked for', async () => {
    const path =
      await saveParquet(`select 1::tinyint i8, 2::smallint i16, 3::integer i32, 4::bigint i64, 5::ubigint u64,
      6::hugeint i128, 1.5::float f32, 2.5::double f64, 12.25::decimal(18,2) m, true b, 7.0::double whole,
      timestamp '2024-01-31 10:20:30.5' ts, timestamptz '2024-01-31 10:20:30+02' tz, timestamp_ns '2024-01-31 10:20:30' tn,
      date '2024-01-31' d, time '10:20:30' c, '2024-01-31' ds, '8' ns, 'raw'::blob raw, null::integer n`);
    const number = (name: string, value: unknown) => [name, 'number', value] as const;
    const expected = [
      number('i8', 1),
      number('i16', 2),
      number('i32', 3),
      number('i64', 4),
      number('u64', 5),
      number('i128', 6),
      number('f32', 1.5),
      number('f64', 2.5),
      number('m', 12.25),
      number('b', 1),
      number('ns', 8),
      number('n', null),
      ['whole', 'integer', 7],
      ['ts', 'timestamp', us('2024-01-31T10:20:30.500Z')],
      ['tz', 'timestamp', us('2024-01-31T08:20:30Z')],
      ['tn', 'timestamp', us('2024-01-31T10:20:30Z')],
      ['d', 'date', us('2024-01-31')],
      ['ds', 'date', us('2024-01-31')],
      ['c', 'time', 37_230_000_000],
    ] as const;
    const read = await readTable(
      [path],
      expected.map(([name, type]) => ({ name, type })),
    );
    for (const [name, , value] of expected) expect([name, cells(read.rows, name)[0]]).toEqual([name, value]);
    expect(read.rejectedTotal).toBe(0);
    const texts = {
      i64: '4',
      i128: '6',
      m: '12.25',
      b: 'true',
      whole: '7',
      f64: '2.5',
      d: '2024-01-31',
      raw: 'raw',
      n: null,
    };
    const asText = await readTable([path], text(...Object.keys(texts), 'ts'));
    for (const [name, value] of Object.entries(texts))
      expect([name, cells(asText.rows, name)[0]]).toEqual([name, value]);
    expect(cells(asText.rows, 'ts')[0]).toBe('2024-01-31T10:20:30.500000Z');
  });

  test('floats keep their values and their gaps, and the infinite are rejected', async () => {
    const path = await saveParquet(`select case when range % 37 = 5 or range between 2000 and 2100 then null
      when range in (31, 4000) then 'infinity'::float when range = 32 then 'nan'::float else (range / 7)::float end f
      from range(5000)`);
    const read = await readTable([path], [{ name: 'f', type: 'number' }]);
    const { values } = read.rows.columns.get('f') as { values: Float64Array };
    expect(read.rejects.map((reject) => reject.row)).toEqual([32, 4001]);
    const isGap = (row: number) => row % 37 === 5 || (row >= 2000 && row <= 2100) || [31, 32, 4000].includes(row);
    expect(Array.from(values)).toEqual(
      Array.from(values.keys(), (row) => (isGap(row) ? Number.NaN : Math.fround(row / 7))),
    );
  });

  test('who takes floats as they are gets the same rows, numbers and rejects, chunk by chunk', async () => {
    const path =
      await saveParquet(`select case when range % 37 = 5 then null when range in (31, 4000) then 'infinity'::float
      when range = 32 then 'nan'::float when range % 50 = 0 then 99.5::float else (range / 7)::float end f,
      range / 7 as d, (range % 100)::float as whole from range(5000)`);
    const requests: ColumnRequest[] = [
      { name: 'f', type: 'number', isStrict: true, required: true, missing: ['99.5'] },
      { name: 'd', type: 'number' },
      { name: 'whole', type: 'integer' },
    ];
    const read = async (takesFloats: boolean) => {
      const found = [];
      for await (const chunk of readChunks(path, requests, { rowsPerChunk: 2048, takesFloats }))
        found.push(structuredClone(chunk));
      return found;
    };
    const [plain, narrow] = [await read(false), await read(true)];
    const holders = (chunk: (typeof plain)[number]) =>
      [...chunk.rows.columns.values()].map((column) => column.kind !== 'text' && column.values.constructor.name);
    expect(new Set(plain.flatMap(holders))).toEqual(new Set(['Float64Array']));
    for (const chunk of narrow) expect(holders(chunk)).toEqual(['Float32Array', 'Float64Array', 'Float64Array']);
    const told = (chunk: (typeof plain)[number]) => ({
      ...chunk,
      rows: [...chunk.rows.columns].map(([name, column]) => [
        name,
        column.kind !== 'text' && Array.from(column.values),
      ]),
    });
    expect(narrow.map(told)).toEqual(plain.map(told));
    expect(narrow[0].rejects.map(({ row }) => row)).toContain(32);
  });

  test('values that do not fit are rejected', async () => {
    const path = await saveParquet(`select * from (values (1.5, 'infinity'::double, 9007199254740993, 2,
      timestamp '2024-01-31 10:00:00')) t(half, inf, big, two, ts)`);
    const read = await readTable(
      [path],
      [
        { name: 'half', type: 'integer' },
        { name: 'inf', type: 'number' },
        { name: 'big', type: 'integer' },
        { name: 'two', type: 'boolean' },
        { name: 'ts', type: 'date' },
      ],
    );
    expect(read.rejects.map((reject) => reject.column)).toEqual(['half', 'inf', 'big', 'two', 'ts']);
    expect(cells(read.rows, 'inf')).toEqual([null]);
  });

  test('a type that cannot be meant is refused', async () => {
    const path = await saveParquet("select [1, 2] list, 5 n, date '2024-01-31' d");
    expect(await refusal(readTable([path], text('list')))).toContain('column "list" holds INTEGER[]');
    expect(await refusal(readTable([path], [{ name: 'n', type: 'date' }]))).toContain('cannot be read as date');
    expect(await refusal(readTable([path], [{ name: 'd', type: 'number' }]))).toContain('cannot be read as number');
  });

  test('no rows, and no requested columns', async () => {
    expect((await readTable([await saveParquet('select 1 id where false')], text('id'))).rows.rows).toBe(0);
    const path = await saveParquet('select range id from range(5000)');
    expect((await readTable([path], [])).rows.rows).toBe(5_000);
  });

  test('Parquet is read through a link into another folder', async () => {
    const path = await saveParquet('select 7 id');
    const other = mkdtempSync(join(tmpdir(), 'lastro-link-'));
    symlinkSync(path, join(other, 'link.csv'));
    const { rows } = await readTable([join(other, 'link.csv')], text('id'));
    expect(cells(rows, 'id')).toEqual(['7']);
    rmSync(other, { recursive: true });
  });
});
