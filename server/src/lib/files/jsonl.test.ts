import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { cells, save, text } from '../../../tests/support/samples/lib-files.ts';
import { readTable } from './read.ts';

describe('JSONL', () => {
  test('bad lines are rejected and long whole numbers keep their digits', async () => {
    const lines = ['{"id":12345678901234567890,"x":1.5}', 'not json', '[1]', '', '{"id":"b","x":[1]}', '{"id":true}'];
    const read = await readTable([save('jsonl', lines.join('\n'))], [...text('id'), { name: 'x', type: 'number' }]);
    expect(cells(read.rows, 'id')).toEqual(['12345678901234567890', 'b', 'true']);
    expect(cells(read.rows, 'x')).toEqual([1.5, null, null]);
    expect(read.rejects.map(({ row, column, reason }) => [row, column, reason])).toEqual([
      [2, null, 'the line is not valid JSON'],
      [3, null, 'the line is not a JSON object'],
      [4, 'x', 'expected a number, found the list [1]'],
    ]);
  });

  test('a key that first appears late is read', async () => {
    const path = save('jsonl', `${'{"id":1}\n'.repeat(3_000)}{"id":2,"late":"x"}\n`);
    const read = await readTable([path], text('id', 'late'));
    expect(cells(read.rows, 'late').slice(-2)).toEqual([null, 'x']);
    expect(read.warnings).toEqual([expect.objectContaining({ code: 'column_late', column: 'late' })]);
  });

  test('a key that a line lacks is missing, though every object has something of that name', async () => {
    const path = save('jsonl', '{"id":"a","constructor":"Lotus","__proto__":"x"}\n{"id":"b"}');
    const read = await readTable(
      [path],
      [...text('id', 'constructor', '__proto__'), { name: 'toString', type: 'number' }],
    );
    expect(cells(read.rows, 'constructor')).toEqual(['Lotus', null]);
    expect(cells(read.rows, '__proto__')).toEqual(['x', null]);
    expect(read.rejects).toEqual([]);
    const required = await readTable([path], [{ name: 'constructor', type: 'string', required: true }]);
    expect(required.rejects).toMatchObject([{ row: 2, column: 'constructor' }]);
  });

  test('values that nest deep, or have very many keys, cost their row and nothing else', async () => {
    const deep = (open: string, close: string, value = '') => open.repeat(200_000) + value + close.repeat(200_000);
    const keys = Array.from({ length: 200_000 }, (_, i) => `"k${i}":${i}`).join(',');
    const lines = [
      '{"id":1,"note":"a"}',
      `{"id":2,"note":${deep('[', ']')}}`,
      `{"id":3,"note":${deep('{"a":', '}', '1')}}`,
      `{"id":4,"note":${deep('[', '')}}`,
      `{"id":12345678901234567,"note":${deep('[', ']')}}`,
      deep('[', ']'),
      `{"id":${deep('[', ']')},"note":"b"}`,
      `{"id":8,"note":"c",${keys}}`,
    ];
    const path = save('jsonl', `${lines.join('\n')}\n`);
    const columns = [
      { name: 'id', type: 'integer' },
      { name: 'note', type: 'string', isStrict: true },
    ] as const;
    const read = await readTable([path], columns);
    expect(read.rejects.map(({ row, reason }) => [row, reason.slice(0, 60)])).toEqual([
      [2, 'the value nests deeper than 100 levels'],
      [3, 'the value nests deeper than 100 levels'],
      [4, 'the line is not valid JSON'],
      [5, expect.stringMatching(/the line (is not valid JSON|nests too deep)/)],
      [6, 'the line is not a JSON object'],
      [7, 'the value nests deeper than 100 levels'],
    ]);
    expect(cells(read.rows, 'id')).toEqual([1, null, 8]);
    const lists = await readTable([path], [{ name: 'note', type: 'string', takesLists: true, isStrict: true }]);
    expect(lists.rejects.map(({ row }) => row)).toEqual([2, 3, 4, 5, 6]);
  });

  test('gzip, a byte order mark and a line beyond 10 MB', async () => {
    const long = JSON.stringify({ id: 'x'.repeat(12 << 20) });
    const path = save('jsonl.gz', gzipSync(`\ufeff{"id":"a"}\n${long}\n{"id":"b"}`, { level: 1 }));
    const read = await readTable([path], text('id'));
    expect(cells(read.rows, 'id')).toEqual(['a', 'b']);
    expect(read.rejects).toMatchObject([{ row: 2, reason: 'the line is longer than 10 MB' }]);
  });
});
