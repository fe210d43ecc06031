import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { cells, folder, refusal, save, saveParquet, text } from '../../../tests/support/samples/lib-files.ts';
import { sayFileNotice } from './notices.ts';
import { describeFile, readTable } from './read.ts';

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
    const called = save('csv', readFileSync(path));
    const found = await describeFile(called);
    expect(found.format).toBe('parquet');
    expect(sayFileNotice(found.warnings[0])).toContain('called .csv but is Parquet');
    const read = await readTable([called], [{ name: 'id', type: 'integer' }]);
    expect(cells(read.rows, 'id')).toEqual([7]);
    expect(read.warnings).toHaveLength(1);
  });

  test('a copy in another format is called by its own name, and not by that of what it is a copy of', async () => {
    const copy = await saveParquet('select 7::bigint id');
    const found = await describeFile(copy, { nameOf: () => 'table loans, rows of loans.csv' });
    expect(found.warnings).toEqual([]);
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
