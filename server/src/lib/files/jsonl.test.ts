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
      [4, 'x', 'expected a number, found "[1]"'],
    ]);
  });

  test('a key that first appears late is read', async () => {
    const path = save('jsonl', `${'{"id":1}\n'.repeat(3_000)}{"id":2,"late":"x"}\n`);
    const read = await readTable([path], text('id', 'late'));
    expect(cells(read.rows, 'late').slice(-2)).toEqual([null, 'x']);
    expect(read.warnings).toEqual([expect.stringContaining('"late" is absent from the first lines')]);
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

  test('gzip, a byte order mark and a line beyond 10 MB', async () => {
    const long = JSON.stringify({ id: 'x'.repeat(12 << 20) });
    const path = save('jsonl.gz', gzipSync(`\ufeff{"id":"a"}\n${long}\n{"id":"b"}`, { level: 1 }));
    const read = await readTable([path], text('id'));
    expect(cells(read.rows, 'id')).toEqual(['a', 'b']);
    expect(read.rejects).toMatchObject([{ row: 2, reason: 'the line is longer than 10 MB' }]);
  });
});
