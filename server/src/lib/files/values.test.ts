import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cells, refusal, save, saveParquet, text, us } from '../../../tests/support/samples/lib-files.ts';
import type { DateForm } from './date-forms.ts';
import { type ColumnRequest, describeFile, readTable } from './read.ts';
import { valueOfText } from './values.ts';

describe('values', () => {
  test.each([
    ['number', '1.5', 1.5],
    ['number', ' -2e3 ', -2000],
    ['number', '+.5', 0.5],
    ['number', '0.1', 0.1],
    ['number', '123456789012345678', 123456789012345680],
    ['number', '1e400', null],
    ['number', '1,5', null],
    ['number', 'NaN', null],
    ['number', '0x10', null],
    ['number', 'abc', null],
    ['number', '.', null],
    ['number', '1e', null],
    ['integer', '42', 42],
    ['integer', '42.0', 42],
    ['integer', '42.5', null],
    ['integer', '9007199254740993', null],
    ['boolean', 'TRUE', 1],
    ['boolean', 'no', 0],
    ['boolean', '2', null],
    ['date', '2024-02-29', us('2024-02-29')],
    ['date', '2023-02-29', null],
    ['date', '2024-01-31 00:00:00', us('2024-01-31')],
    ['date', '2024-01-31T00:00:00+02:00', us('2024-01-31')],
    ['date', '2024-01-31T10:00:00', null],
    ['date', '31/01/2024', null],
    ['date', '1969-12-31', us('1969-12-31')],
    ['timestamp', '2024-01-31', us('2024-01-31')],
    ['timestamp', '2024-01-31 10:20', us('2024-01-31T10:20Z')],
    ['timestamp', '2024-01-31T10:20:30.123456Z', us('2024-01-31T10:20:30Z') + 123_456],
    ['timestamp', '2024-01-31T10:20:30.1234567', us('2024-01-31T10:20:30Z') + 123_456],
    ['timestamp', '2024-01-31 10:20:30-03:00', us('2024-01-31T13:20:30Z')],
    ['timestamp', '2024-01-31 10:20:30+0530', us('2024-01-31T04:50:30Z')],
    ['timestamp', '2024-01-31 10:20:30+01', us('2024-01-31T09:20:30Z')],
    ['timestamp', '2024-01-31 25:20:30', null],
    ['timestamp', '2024-01-31 10:20:30 PM', null],
    ['time', '10:20', 37_200_000_000],
    ['time', '10:20:30.5', 37_230_500_000],
    ['time', '10', null],
  ] as const)('as %s, %j is %j', async (type, written, value) => {
    const csv = save('csv', `row,v\n1,"${written}"\n`);
    const jsonl = save('jsonl', `${JSON.stringify({ row: 1, v: written })}\n`);
    const parquet = await saveParquet(`select '${written}' v`);
    for (const path of [csv, jsonl, parquet]) {
      const read = await readTable([path], [{ name: 'v', type }]);
      expect(cells(read.rows, 'v')).toEqual([value]);
      expect(read.rejectedTotal).toBe(value === null ? 1 : 0);
      if (value === null) {
        expect(read.rejects[0]).toMatchObject({ row: 1, column: 'v', value: written });
        expect(read.rejects[0].reason).toContain(`found "${written}"`);
      }
    }
  });

  test('decimal text reads as JavaScript reads it, digit for digit', async () => {
    const numbers = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), 5_000);
    const written = [...numbers.map(String), ...numbers.map((number) => number.toFixed(3))];
    const read = await readTable([save('csv', `v\n${written.join('\n')}\n`)], [{ name: 'v', type: 'number' }]);
    expect(read.rejectedTotal).toBe(0);
    const { values } = read.rows.columns.get('v') as { values: Float64Array };
    expect(Array.from(values)).toEqual(written.map(Number));
  });

  test('every day from 1900 to 2100 is where JavaScript has it', async () => {
    const days = Array.from({ length: 73_400 }, (_, day) => new Date(Date.UTC(1900, 0, 1 + day)));
    const path = save('csv', `d\n${days.map((day) => day.toISOString().slice(0, 10)).join('\n')}\n`);
    const { rows } = await readTable([path], [{ name: 'd', type: 'date' }]);
    expect(cells(rows, 'd')).toEqual(days.map((day) => day.getTime() * 1000));
  });

  test('a row without a required value is rejected, and leaves nothing behind', async () => {
    const requests: ColumnRequest[] = [
      { name: 'note', type: 'string' },
      { name: 'id', type: 'string', required: true },
      { name: 'x', type: 'number', required: true },
    ];
    const csv = save('csv', 'id,x,note\na,1,n1\n,2,n2\nc,,n3\nd,zz,n4\ne,5,n5\n');
    const lines = [
      ['a', 1, 'n1'],
      [null, 2, 'n2'],
      ['c', null, 'n3'],
      ['d', 'zz', 'n4'],
      ['e', 5, 'n5'],
    ];
    const jsonl = save('jsonl', lines.map(([id, x, note]) => JSON.stringify({ id, x, note })).join('\n'));
    const parquet = await saveParquet(
      "select * from (values ('a','1','n1'), (null,'2','n2'), ('c',null,'n3'), ('d','zz','n4'), ('e','5','n5')) t(id,x,note)",
    );
    for (const path of [csv, jsonl, parquet]) {
      const read = await readTable([path], requests);
      expect(read.rows.columns.get('id')).toMatchObject({ dictionary: ['a', 'e'], codes: Int32Array.of(0, 1) });
      expect(read.rows.columns.get('note')).toMatchObject({ dictionary: ['n1', 'n5'] });
      expect(cells(read.rows, 'x')).toEqual([1, 5]);
      const rejects = [...read.rejects].sort((a, b) => a.row - b.row);
      expect(rejects.map((reject) => [reject.row, reject.column])).toEqual([
        [2, 'id'],
        [3, 'x'],
        [4, 'x'],
      ]);
    }
  });

  test('a thousand rejects are kept, and all are counted', async () => {
    const path = save('csv', `v\n${'abc\n'.repeat(2_500)}`);
    const read = await readTable([path], [{ name: 'v', type: 'number' }]);
    expect(read.rejects).toHaveLength(1_000);
    expect(read.rejectedTotal).toBe(2_500);
    expect(read.rows.rows).toBe(2_500);
  });

  test('a text with NUL in Parquet or JSONL costs its value, or its row where the value is required', async () => {
    const parquet = await saveParquet(
      `select * from (values ('a' || chr(0), 1), ('a text that is not short' || chr(0), 2), ('b', 3)) t(x, n)`,
    );
    const jsonl = save(
      'jsonl',
      '{"x":"a\\u0000","n":1}\n{"x":"a text that is not short\\u0000","n":2}\n{"x":"b","n":3}\n',
    );
    for (const path of [parquet, jsonl]) {
      const read = await readTable([path], text('x', 'n'));
      expect(cells(read.rows, 'x')).toEqual([null, null, 'b']);
      expect(read.rejects).toMatchObject([
        { row: 1, column: 'x', reason: 'the text holds NUL bytes', value: 'a\u2400' },
        { row: 2, column: 'x', value: 'a text that is not short\u2400' },
      ]);
      const strict = await readTable([path], [{ name: 'x', type: 'string', required: true }]);
      expect(cells(strict.rows, 'x')).toEqual(['b']);
      expect(strict.rejectedTotal).toBe(2);
    }
    expect(await refusal(describeFile(save('jsonl', '{"x\\u0000":1}\n')))).toContain('column 1 holds NUL bytes');
  });
});

describe('texts that a request calls missing', () => {
  const missing = ['?', 'N/A', '-999', 'not known to anyone', '"', ''];
  const columns: ColumnRequest[] = [
    { name: 'id', type: 'integer', required: true },
    { name: 'n', type: 'number', missing },
    { name: 's', type: 'string', missing },
    { name: 'd', type: 'date', missing },
  ];
  const lines: (string | null)[][] = [
    ['1', '1.5', 'a', '2024-01-01'],
    ['2', '?', '?', '?'],
    ['3', ' N/A ', ' N/A ', 'N/A'],
    ['4', '-999', '-999', 'not known to anyone'],
    ['5', '  ', 'not known to anyone', null],
    ['6', '?!', 'n/a', '??'],
    ['7', '-9', '"', '2024-01-02'],
    ['8', '999', '?\n', '2024-01-02'],
  ];
  const names = ['id', 'n', 's', 'd'];
  const quoted = (text: string | null) => (text === null ? '' : `"${text.replaceAll('"', '""')}"`);
  const sql = (text: string | null) => (text === null ? 'null' : `'${text}'`);
  const write: Record<string, () => Promise<string> | string> = {
    CSV: () => save('csv', [names.join(','), ...lines.map((cells) => cells.map(quoted).join(','))].join('\n')),
    JSONL: () =>
      save(
        'jsonl',
        lines.map((cells) => JSON.stringify(Object.fromEntries(cells.map((cell, i) => [names[i], cell])))).join('\n'),
      ),
    Parquet: () =>
      saveParquet(
        lines
          .map((cells) => `select ${cells.map((cell, i) => `${sql(cell)} ${names[i]}`).join(', ')}`)
          .join(' union all '),
      ),
  };

  test.each(Object.keys(write))('are missing and no rejects in %s, and only they are', async (format) => {
    const path = await write[format]();
    const read = await readTable([path], columns);
    expect(cells(read.rows, 'n')).toEqual([1.5, null, null, null, null, null, -9, 999]);
    expect(cells(read.rows, 's')).toEqual(['a', null, null, null, null, 'n/a', null, '?\n']);
    const [first, second] = [us('2024-01-01'), us('2024-01-02')];
    expect(cells(read.rows, 'd')).toEqual([first, null, null, null, null, null, second, second]);
    expect(read.rejects.map(({ row, column, value }) => [row, column, value]).sort()).toEqual([
      [6, 'd', '??'],
      [6, 'n', '?!'],
    ]);
  });

  test.each(Object.keys(write))('cost their row in %s where a value is required', async (format) => {
    const path = await write[format]();
    const required = columns.map((column) => (column.name === 's' ? { ...column, required: true } : column));
    const read = await readTable([path], required);
    expect(cells(read.rows, 'id')).toEqual([1, 6, 8]);
    expect(read.rows.columns.get('s')).toMatchObject({ dictionary: ['a', 'n/a', '?\n'] });
    expect(read.rejects.filter(({ column }) => column === 's').map(({ row }) => row)).toEqual([2, 3, 4, 5, 7]);
  });

  test('have their value in files of numbers and dates', async () => {
    const numbers = await saveParquet(
      "select * from (values (1.5, -999, date '9999-12-31'), (-999, 2, date '2024-01-01')) as t(x, i, d)",
    );
    const request: ColumnRequest[] = [
      { name: 'x', type: 'number', missing },
      { name: 'i', type: 'integer', missing },
      { name: 'd', type: 'date', missing: ['9999-12-31'] },
    ];
    const jsonl = save('jsonl', '{"x":1.5,"i":-999,"d":"9999-12-31"}\n{"x":-999,"i":2,"d":"2024-01-01"}\n');
    for (const path of [numbers, jsonl]) {
      const read = await readTable([path], request);
      expect(request.map(({ name }) => cells(read.rows, name))).toEqual([
        [1.5, null],
        [null, 2],
        [null, us('2024-01-01')],
      ]);
      expect(read.rejectedTotal).toBe(0);
    }
  });
});

describe('instants on the clocks of a zone', () => {
  const zoned = (zone: string, form?: DateForm) => ({ zone, ...(form && { form }) });
  const clocks = (text: string, zone: string, form?: DateForm) => {
    const value = valueOfText('timestamp', text, zoned(zone, form));
    return Number.isNaN(value) ? null : new Date(value / 1000).toISOString().slice(0, 19);
  };

  // By timeanddate.com: São Paulo was 3 hours behind UTC in 2024, and 2 in the summer of 2018; Berlin 1 or 2 ahead.
  test.each([
    ['2024-06-16T01:30:00Z', 'America/Sao_Paulo', undefined, '2024-06-15T22:30:00'],
    ['2018-12-15 12:00:00+00', 'America/Sao_Paulo', undefined, '2018-12-15T10:00:00'],
    ['2024-06-15T22:30:00-03:00', 'America/Sao_Paulo', undefined, '2024-06-15T22:30:00'],
    ['2024-07-01T22:30:00Z', 'Europe/Berlin', undefined, '2024-07-02T00:30:00'],
    ['2024-01-01T22:30:00Z', 'Europe/Berlin', undefined, '2024-01-01T23:30:00'],
    ['15/06/2024 22:30:00Z', 'America/Sao_Paulo', 'dd/MM/yyyy', '2024-06-15T19:30:00'],
    ['20240615 22:30:00Z', 'America/Sao_Paulo', 'yyyyMMdd', '2024-06-15T19:30:00'],
    ['1718501400', 'America/Sao_Paulo', 'epoch_seconds', '2024-06-15T22:30:00'],
    ['1718501400000', 'Asia/Kolkata', 'epoch_milliseconds', '2024-06-16T07:00:00'],
    // What clocks show already, and days.
    ['2024-06-16T01:30:00', 'America/Sao_Paulo', undefined, '2024-06-16T01:30:00'],
    ['2024-06-16', 'America/Sao_Paulo', undefined, '2024-06-16T00:00:00'],
    ['15/06/2024 22:30', 'America/Sao_Paulo', 'dd/MM/yyyy', '2024-06-15T22:30:00'],
    ['20240615', 'Europe/Berlin', 'yyyyMMdd', '2024-06-15T00:00:00'],
    ['2024-13-16T01:30:00Z', 'America/Sao_Paulo', undefined, null],
  ] as const)('%s in %s (%s) is %s', (text, zone, form, expected) => {
    expect(clocks(text, zone, form)).toBe(expected);
  });

  test('a date stays the day that is written, whatever the offset', () => {
    expect(valueOfText('date', '2024-06-16T00:00:00Z', zoned('America/Sao_Paulo'))).toBe(Date.UTC(2024, 5, 16) * 1000);
  });

  test('it is what Intl says that clocks show, at any moment of two centuries', () => {
    const zones = ['America/Sao_Paulo', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Apia', 'UTC'];
    const moments = fc.integer({ min: Date.UTC(1972, 0), max: Date.UTC(2099, 0) });
    fc.assert(
      fc.property(moments, fc.constantFrom(...zones), (ms, zone) => {
        const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
        expect(clocks(new Date(ms).toISOString(), zone)).toBe(shown.format(ms).replace(' ', 'T'));
      }),
      { numRuns: 2_000 },
    );
  });

  test('Parquet knows which of its timestamps are instants', async () => {
    const path = await saveParquet(
      "select timestamptz '2024-06-16 01:30:00+00' as instant, timestamp '2024-06-16 01:30:00' as clocks, 1718501400 as counted",
    );
    const form = zoned('America/Sao_Paulo');
    const { rows } = await readTable(
      [path],
      [
        { name: 'instant', type: 'timestamp', form },
        { name: 'clocks', type: 'timestamp', form },
        { name: 'counted', type: 'timestamp', form: zoned('America/Sao_Paulo', 'epoch_seconds') },
      ],
    );
    const shown = (name: string) => {
      const { values } = rows.columns.get(name) as { values: Float64Array };
      return new Date(values[0] / 1000).toISOString().slice(0, 16);
    };
    expect(['instant', 'clocks', 'counted'].map(shown)).toEqual([
      '2024-06-15T22:30',
      '2024-06-16T01:30',
      '2024-06-15T22:30',
    ]);
    const texts = await readTable(
      [path],
      ['instant', 'clocks'].map((name) => ({ name, type: 'string' as const, keepsClocks: true })),
    );
    expect([...texts.rows.columns.values()].map((column) => column.kind === 'text' && column.dictionary[0])).toEqual([
      '2024-06-16T01:30:00.000000Z',
      '2024-06-16T01:30:00.000000',
    ]);
  });
});
