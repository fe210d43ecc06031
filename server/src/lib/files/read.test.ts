import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDuckDb } from '../duckdb/duckdb.ts';
import { Failure } from '../failure.ts';
import type { Rows } from './column.ts';
import { type ColumnRequest, describeFile, readChunks, readTable } from './read.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-files-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function save(extension: string, content: string | Uint8Array): string {
  const path = join(folder, `f${files++}.${extension}`);
  writeFileSync(path, content);
  return path;
}

async function saveParquet(query: string, settings = 'compression zstd'): Promise<string> {
  const path = join(folder, `f${files++}.parquet`);
  const duckdb = await openDuckDb({ folders: [folder] });
  await duckdb.run(`copy (${query}) to '${path}' (format parquet, ${settings})`);
  duckdb.close();
  return path;
}

/** The cells of a column as JavaScript values; missing is null. */
function cells(rows: Rows, name: string): (number | string | null)[] {
  const column = rows.columns.get(name)!;
  if (column.kind === 'text') return Array.from(column.codes, (code) => (code < 0 ? null : column.dictionary[code]!));
  return Array.from(column.values, (value) => (Number.isNaN(value) ? null : value));
}

const text = (...names: string[]): ColumnRequest[] => names.map((name) => ({ name, type: 'string' }));
const us = (iso: string) => Date.parse(iso) * 1000;

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(Failure);
  expect((error as Failure).code).toBe('invalid');
  return (error as Failure).message;
}

describe('what a file is', () => {
  test.each([
    [',', 'a,b\n1,2\n'],
    [';', 'a;b\n1,5;2,5\n'],
    ['\t', 'a\tb\n1\t2\n'],
    ['|', 'a|b\n"x,y"|2\n'],
    [';', '"a;x";"b,y"\n1;2\n'],
    [',', 'only\n1\n'],
  ])('the delimiter %j is told from the first rows', async (delimiter, content) => {
    const found = await describeFile(save('csv', content));
    expect(found.csv).toEqual({ delimiter, quote: '"', encoding: 'utf-8', bom: false });
  });

  test('columns of CSV are texts until a contract says more', async () => {
    const found = await describeFile(save('csv', 'id,amount\n1,2.5\n'));
    expect(found).toMatchObject({ format: 'csv', compression: 'none', warnings: [] });
    expect(found.columns).toEqual([
      { name: 'id', type: 'string' },
      { name: 'amount', type: 'string' },
    ]);
  });

  test('Parquet tells its types, rows and row groups', async () => {
    const query = `select range::bigint id, range / 2.0 x, 'a' || range s, true b, date '2024-01-31' d,
      timestamp '2024-01-31 10:00:00' t, time '10:00:00' c, 1.25::decimal(9,2) m from range(250000)`;
    const found = await describeFile(await saveParquet(query, 'row_group_size 98304'));
    expect(found).toMatchObject({ format: 'parquet', rows: 250_000, rowGroupRowsMax: 98_304 });
    expect(found.columns.map((column) => column.type)).toEqual([
      'integer',
      'number',
      'string',
      'boolean',
      'date',
      'timestamp',
      'time',
      'number',
    ]);
  });

  test('Parquet called .csv is read as what it is, with a warning', async () => {
    const path = await saveParquet('select 7::bigint id');
    const { readFileSync } = await import('node:fs');
    const called = save('csv', readFileSync(path));
    const found = await describeFile(called);
    expect(found.format).toBe('parquet');
    expect(found.warnings[0]).toContain('called .csv but is Parquet');
    const read = await readTable([called], [{ name: 'id', type: 'integer' }]);
    expect(cells(read.rows, 'id')).toEqual([7]);
    expect(read.warnings).toHaveLength(1);
  });

  test('JSONL shows the keys of its first lines', async () => {
    const found = await describeFile(save('jsonl', '{"id":1,"name":"a"}\n{"id":2,"name":null,"ok":true}\n'));
    expect(found).toMatchObject({ format: 'jsonl' });
    expect(found.columns).toEqual([
      { name: 'id', type: 'number' },
      { name: 'name', type: 'string' },
      { name: 'ok', type: 'boolean' },
    ]);
  });

  test.each([
    ['an empty file', 'csv', '', 'the file is empty'],
    ['an empty gzip file', 'csv.gz', gzipSync(''), 'the file is empty'],
    ['a name given twice', 'csv', 'id,x,id\n1,2,3\n', 'columns 1 and 3 are both called "id"'],
    ['names equal but for case', 'csv', 'Id,ID\n1,2\n', '"Id" and "ID"'],
    ['an empty name', 'csv', 'id,,x\n1,2,3\n', 'column 2 of 3 has no name'],
    ['NUL bytes in the header', 'csv', 'i\0d,x\n1,2\n', 'NUL bytes'],
    ['a binary file', 'bin', Buffer.from([1, 0, 0, 0, 5, 0, 0, 0, 10, 0]), 'NUL bytes'],
    ['a workbook', 'csv', Buffer.from('PK\x03\x04rest of the workbook'), 'save the sheet as CSV'],
    ['UTF-16', 'csv', Buffer.from('\ufeffid,x\n1,2\n', 'utf16le'), 'UTF-16'],
    ['a CSV called .parquet', 'parquet', 'id,x\n1,2\n', 'does not start with the mark of a Parquet file'],
    ['a header whose quote is lost', 'csv', '"id,x\n1,2\n', 'a quote is lost'],
    ['text called .jsonl', 'jsonl', 'id,x\n1,2\n', 'expected JSONL'],
    ['a JSON array', 'jsonl', '[\n{"id":1}]\n', 'a JSON array'],
  ])('%s is refused in clear words', async (_what, extension, content, words) => {
    const path = save(extension, content);
    const message = await refusal(describeFile(path));
    expect(message).toContain(words);
    expect(message).toContain(path.split('/').at(-1));
  });

  test('Parquet that was cut short is refused', async () => {
    const path = await saveParquet('select range id from range(100000)');
    truncateSync(path, 20_000);
    expect(await refusal(describeFile(path))).toContain('damaged or cut short');
    expect(await refusal(readTable([path], text('id')))).toContain('damaged or cut short');
  });

  test('gzip that was cut short is refused', async () => {
    const whole = gzipSync(`id\n${Array.from({ length: 50_000 }, (_, row) => row * 7919).join('\n')}`);
    const path = save('csv.gz', whole.subarray(0, whole.length / 2));
    expect(await refusal(readTable([path], text('id')))).toContain('cut short');
  });

  test('a file that is not there is not found', async () => {
    await expect(describeFile(join(folder, 'none.csv'))).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('CSV', () => {
  test('quotes keep delimiters, quotes and line ends, and CRLF ends a row like LF', async () => {
    const path = save('csv', 'a,b\r\n"x,y","say ""hi"""\r\n"two\nlines","cr\r\nlf"\r\nplain 5" pipe,\r\n');
    const { rows, rejectedTotal } = await readTable([path], text('a', 'b'));
    expect(cells(rows, 'a')).toEqual(['x,y', 'two\nlines', 'plain 5" pipe']);
    expect(cells(rows, 'b')).toEqual(['say "hi"', 'cr\r\nlf', null]);
    expect(rejectedTotal).toBe(0);
  });

  test('quotes, line ends and accents survive wherever a block of the file ends', async () => {
    const written = Array.from({ length: 120_000 }, (_, row) => [`é${'x'.repeat(row % 23)}"\r\n,`, `日本 ${row}`]);
    const lines = written.map(([a, b]) => `"${a!.replace('"', '""')}",${b}\r\n`);
    const content = `a,b\r\n${lines.join('')}`;
    for (const path of [save('csv', content), save('csv.gz', gzipSync(content, { level: 1 }))]) {
      const { rows, rejectedTotal } = await readTable([path], text('a', 'b'));
      expect(rejectedTotal).toBe(0);
      const [a, b] = [cells(rows, 'a'), cells(rows, 'b')];
      const wrong = written.findIndex((row, index) => row[0] !== a[index] || row[1] !== b[index]);
      expect([rows.rows, wrong]).toEqual([written.length, -1]);
    }
  });

  test('a lone CR ends a row too, and the last row needs no end', async () => {
    const { rows } = await readTable([save('csv', 'a,b\r1,2\r3,4')], text('a', 'b'));
    expect(cells(rows, 'b')).toEqual(['2', '4']);
  });

  test('a byte order mark is no part of the first name', async () => {
    const path = save('csv', '\ufeffid,x\n1,é\n');
    expect((await describeFile(path)).csv).toMatchObject({ encoding: 'utf-8', bom: true });
    const { rows } = await readTable([path], text('id', 'x'));
    expect(cells(rows, 'id')).toEqual(['1']);
    expect(cells(rows, 'x')).toEqual(['é']);
  });

  test('Latin-1 is told from UTF-8 even when its first accent comes late', async () => {
    const lines = Array.from({ length: 200_000 }, (_, row) => `${row},plain`);
    const path = save('csv', Buffer.from(`id,name\n${lines.join('\n')}\n1,Jos\u00e9\n`, 'latin1'));
    expect((await describeFile(path)).csv?.encoding).toBe('latin-1');
    const { rows } = await readTable([path], text('name'));
    expect(cells(rows, 'name').at(-1)).toBe('José');
  });

  test('UTF-8 with one damaged row loses that row only', async () => {
    const bytes = [Buffer.from('id,name\n1,é\n2,'), Buffer.from([0xe9]), Buffer.from('\n3,çã\n')];
    const read = await readTable([save('csv', Buffer.concat(bytes))], text('id', 'name'));
    expect(cells(read.rows, 'name')).toEqual(['é', 'çã']);
    expect(read.rejects).toMatchObject([{ row: 2, column: null, reason: 'the row is not valid UTF-8' }]);
  });

  test('gzip is read as what it holds', async () => {
    const path = save('csv.gz', gzipSync('id,x\n1,a\n2,b\n'));
    expect(await describeFile(path)).toMatchObject({ format: 'csv', compression: 'gzip' });
    expect(cells((await readTable([path], text('x'))).rows, 'x')).toEqual(['a', 'b']);
  });

  test('rows with too many or too few fields are rejected with their numbers', async () => {
    const read = await readTable([save('csv', 'a,b\n1,2\n3\n\n4,5,6\n7,8\n')], text('a', 'b'));
    expect(cells(read.rows, 'a')).toEqual(['1', '7']);
    expect(read.rejects).toEqual([
      { file: expect.any(String), row: 2, column: null, reason: 'expected 2 fields, found 1', value: '3' },
      { file: expect.any(String), row: 3, column: null, reason: 'expected 2 fields, found 3', value: '4,5,6' },
    ]);
  });

  test('a lost quote costs its line and no other', async () => {
    const read = await readTable([save('csv', 'a,b\n1,"x\n2,y\n3,z\n')], text('a', 'b'));
    expect(cells(read.rows, 'a')).toEqual(['2', '3']);
    expect(read.rejects).toMatchObject([{ row: 1, reason: 'a quote is opened and never closed' }]);
    const again = await readTable([save('csv', 'a,b\n1,"x" y\n2,y\n')], text('a', 'b'));
    expect(cells(again.rows, 'a')).toEqual(['2']);
    expect(again.rejects).toMatchObject([{ row: 1, reason: expect.stringContaining('text follows a closing quote') }]);
  });

  test('a lost quote in a long file costs its line and no other', async () => {
    const lines = Array.from({ length: 1_000_000 }, (_, row) => (row === 10 ? '10,"lost' : `${row},some more text`));
    const read = await readTable([save('csv', `a,b\n${lines.join('\n')}\n`)], [{ name: 'a', type: 'integer' }]);
    expect(read.rows.rows).toBe(999_999);
    expect(read.rejects).toMatchObject([{ row: 11, reason: expect.stringContaining('longer than 10 MB') }]);
    expect(cells(read.rows, 'a').at(-1)).toBe(999_999);
  }, 30_000);

  test('a line longer than 10 MB is rejected, a shorter one read', async () => {
    const megabyte = 'x'.repeat(1 << 20);
    const path = save('csv', `a,b\n1,${megabyte.repeat(9)}\n2,${megabyte.repeat(12)}\n3,${megabyte.repeat(30)}\n4,z\n`);
    const read = await readTable([path], text('a', 'b'));
    expect(cells(read.rows, 'a')).toEqual(['1', '4']);
    expect(cells(read.rows, 'b')[0]).toHaveLength(9 << 20);
    expect(read.rejects.map((reject) => [reject.row, reject.value?.length])).toEqual([
      [2, 80],
      [3, 80],
    ]);
  }, 30_000);

  test('NUL bytes cost their row', async () => {
    const rows = Array.from({ length: 200 }, (_, row) => `${row},ok`).join('\n');
    const read = await readTable([save('csv', `a,b\n${rows}\n1,x\0y\n2,fine\n`)], text('a', 'b'));
    expect(read.rows.rows).toBe(201);
    expect(read.rejects).toMatchObject([{ row: 201, reason: 'the row holds NUL bytes' }]);
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

  test('what is shown of a value has whole characters', async () => {
    const read = await readTable(
      [save('csv', `a\n${'x'.repeat(76)}😀${'x'.repeat(9)}\n`)],
      [{ name: 'a', type: 'number' }],
    );
    expect(read.rejects[0]).toMatchObject({ value: `${'x'.repeat(76)}...` });
  });

  test('Parquet is read through a link into another folder', async () => {
    const path = await saveParquet('select 7 id');
    const other = mkdtempSync(join(tmpdir(), 'lastro-link-'));
    symlinkSync(path, join(other, 'link.csv'));
    const { rows } = await readTable([join(other, 'link.csv')], text('id'));
    expect(cells(rows, 'id')).toEqual(['7']);
    rmSync(other, { recursive: true });
  });

  test('a header alone is a table without rows', async () => {
    for (const content of ['a,b', 'a,b\n', 'a,b\r\n\r\n']) {
      const read = await readTable([save('csv', content)], text('a', 'b'));
      expect(read.rows.rows).toBe(0);
      expect(read.presentColumns).toEqual(['a', 'b']);
      expect(read.rejectedTotal).toBe(0);
    }
  });

  test('one row, and a thousand columns', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `a_rather_long_column_name_number_${index}`);
    const values = names.map((_, index) => index / 8);
    const path = save('csv', `${names.join(',')}\n${values.join(',')}\n`);
    const read = await readTable(
      [path],
      names.map((name) => ({ name, type: 'number' })),
    );
    expect(names.map((name) => cells(read.rows, name)[0])).toEqual(values);
  });

  test('empty and \\N are missing, and nothing else is', async () => {
    const read = await readTable([save('csv', 'a,b\n,1\n"",2\n\\N,3\n"\\N",4\nNULL,5\nNA,6\n')], text('a'));
    expect(cells(read.rows, 'a')).toEqual([null, null, null, '\\N', 'NULL', 'NA']);
  });
});

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
        expect(read.rejects[0]!.reason).toContain(`found "${written}"`);
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
    const path = await write[format]!();
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
    const path = await write[format]!();
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

describe('columns', () => {
  test('a column that is absent is missing with a warning, or a refusal when required', async () => {
    const path = save('csv', 'id,more\n1,2\n');
    const read = await readTable([path], text('id', 'gone'));
    expect(cells(read.rows, 'gone')).toEqual([null]);
    expect(read.warnings).toEqual([expect.stringContaining('column "gone" is absent')]);
    expect(read.presentColumns).toEqual(['id']);
    expect(read.unknownColumns).toEqual(['more']);
    const message = await refusal(readTable([path], [{ name: 'gone', type: 'string', required: true }]));
    expect(message).toContain('the required column "gone" is absent');
    expect(message).toContain('"id", "more"');
  });

  test('a name that differs in case is found, with a warning', async () => {
    const read = await readTable([save('csv', 'ID\n1\n')], text('id'));
    expect(cells(read.rows, 'id')).toEqual(['1']);
    expect(read.warnings).toHaveLength(1);
  });

  test('files of different formats make one table with one dictionary, in order of first appearance', async () => {
    const csv = save('csv', 'k,v\nb,1\na,2\nb,3\n');
    const parquet = await saveParquet(
      "select * from (values ('a', 4), ('a text longer than twelve bytes', 5)) t(k, v)",
    );
    const jsonl = save('jsonl', '{"k":"é","v":6}\n{"k":"b"}\n');
    const read = await readTable([csv, parquet, jsonl], [...text('k'), { name: 'v', type: 'integer' }]);
    expect(read.rows.columns.get('k')).toEqual({
      kind: 'text',
      codes: Int32Array.of(0, 1, 0, 1, 2, 3, 0),
      dictionary: ['b', 'a', 'a text longer than twelve bytes', 'é'],
    });
    expect(cells(read.rows, 'v')).toEqual([1, 2, 3, 4, 5, 6, null]);
  });

  test('a file may have another name than the one it is stored under', async () => {
    const path = save('csv', 'v\nx\n');
    const read = await readTable([path], [{ name: 'v', type: 'number' }], { nameOf: () => 'orders.csv' });
    expect(read.rejects[0]!.file).toBe('orders.csv');
  });
});

describe('JSONL', () => {
  test('bad lines are rejected and long whole numbers keep their digits', async () => {
    const lines = ['{"id":12345678901234567890,"x":1.5}', 'not json', '[1]', '', '{"id":"b","x":[1]}', '{"id":true}'];
    const read = await readTable([save('jsonl', lines.join('\n'))], [...text('id'), { name: 'x', type: 'number' }]);
    expect(cells(read.rows, 'id')).toEqual(['12345678901234567890', 'b', 'true']);
    expect(cells(read.rows, 'x')).toEqual([1.5, null, null]);
    expect(read.rejects.map(({ row, column, reason }) => [row, column, reason])).toEqual([
      [2, null, 'the line is not valid JSON'],
      [3, null, 'the line is not a JSON object'],
      [4, 'x', 'expected a number, found "[1]"'],
    ]);
  });

  test('a key that first appears late is read', async () => {
    const path = save('jsonl', `${'{"id":1}\n'.repeat(3_000)}{"id":2,"late":"x"}\n`);
    const read = await readTable([path], text('id', 'late'));
    expect(cells(read.rows, 'late').slice(-2)).toEqual([null, 'x']);
    expect(read.warnings).toEqual([expect.stringContaining('"late" is absent from the first lines')]);
  });

  test('gzip, a byte order mark and a line beyond 10 MB', async () => {
    const long = JSON.stringify({ id: 'x'.repeat(12 << 20) });
    const path = save('jsonl.gz', gzipSync(`\ufeff{"id":"a"}\n${long}\n{"id":"b"}`, { level: 1 }));
    const read = await readTable([path], text('id'));
    expect(cells(read.rows, 'id')).toEqual(['a', 'b']);
    expect(read.rejects).toMatchObject([{ row: 2, reason: 'the line is longer than 10 MB' }]);
  });
});

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
});

describe('chunks', () => {
  const rows = 250_000;
  const requests: ColumnRequest[] = [
    { name: 'id', type: 'integer', required: true },
    { name: 'k', type: 'string' },
  ];

  test('Parquet, CSV and JSONL come in order, in chunks of at most 98,304 rows', async () => {
    const query = `select range id, 'key ' || (range % 7) || ' of a long kind' k from range(${rows})`;
    const parquet = await saveParquet(query, 'row_group_size 10000');
    const csv = save(
      'csv',
      `id,k\n${Array.from({ length: rows }, (_, id) => `${id},key ${id % 7} of a long kind`).join('\n')}`,
    );
    const jsonl = save(
      'jsonl',
      Array.from({ length: rows }, (_, id) => `{"id":${id},"k":"key ${id % 7} of a long kind"}`).join('\n'),
    );
    for (const path of [parquet, csv, jsonl]) {
      let next = 0;
      for await (const chunk of readChunks(path, requests)) {
        expect(chunk.firstRow).toBe(next + 1);
        expect(chunk.rows.rows).toBeLessThanOrEqual(98_304);
        const ids = chunk.rows.columns.get('id') as { values: Float64Array };
        const keys = chunk.rows.columns.get('k') as { codes: Int32Array; dictionary: readonly string[] };
        expect(keys.dictionary).toHaveLength(7);
        for (let row = 0; row < chunk.rows.rows; row++, next++) {
          if (ids.values[row] !== next || chunk.rowNumbers[row] !== next + 1)
            throw new Error(`row ${next} is out of place`);
          if (keys.dictionary[keys.codes[row]!] !== `key ${next % 7} of a long kind`)
            throw new Error(`row ${next} has another key`);
        }
      }
      expect(next).toBe(rows);
    }
  }, 30_000);

  test('each chunk brings its rejects, and its row numbers show the gaps', async () => {
    const path = save('csv', 'id,k\n1,a\nx,b\n3,c\n4,d\ny,e\n');
    const chunks = [];
    for await (const { rowNumbers, rejects } of readChunks(path, requests, { rowsPerChunk: 2 }))
      chunks.push({ rows: Array.from(rowNumbers), rejected: rejects.map((reject) => reject.row) });
    expect(chunks).toEqual([
      { rows: [1, 3], rejected: [2] },
      { rows: [4], rejected: [5] },
    ]);
  });

  test('nothing of a chunk is left in the next', async () => {
    const path = save('csv', 'id,k,x\n1,a,7\n2,b,8\n3,,\n4,b,9\n5,a,\n');
    const found: unknown[] = [];
    for await (const { rows } of readChunks(
      path,
      [...requests, { name: 'x', type: 'number' }, { name: 'none', type: 'number' }],
      { rowsPerChunk: 2 },
    ))
      found.push(
        ...Array.from({ length: rows.rows }, (_, row) =>
          ['id', 'k', 'x', 'none'].map((name) => cells(rows, name)[row]),
        ),
      );
    expect(found).toEqual([
      [1, 'a', 7, null],
      [2, 'b', 8, null],
      [3, null, null, null],
      [4, 'b', 9, null],
      [5, 'a', null, null],
    ]);
  });

  test('small chunks of Parquet lose nothing, and no chunk is empty', async () => {
    const path = await saveParquet('select range id from range(5000)');
    const counts: number[] = [];
    for await (const chunk of readChunks(path, text('id'), { rowsPerChunk: 100 })) counts.push(chunk.rows.rows);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(Math.max(...counts)).toBeLessThanOrEqual(2_048);
    expect(counts.reduce((sum, count) => sum + count)).toBe(5_000);
  });

  test('a reader may stop early', async () => {
    const path = save('csv', `id,k\n${'1,a\n'.repeat(rows)}`);
    for await (const chunk of readChunks(path, requests)) {
      expect(chunk.rows.rows).toBe(98_304);
      break;
    }
  });
});
