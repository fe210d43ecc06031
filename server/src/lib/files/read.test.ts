import { describe, expect, test } from 'vitest';
import { cells, refusal, save, saveParquet, text } from '../../../tests/support/samples/lib-files.ts';
import { type ColumnRequest, readChunks, readTable } from './read.ts';

describe('columns', () => {
  test('a column that is absent is missing with a warning, or a refusal when required', async () => {
    const path = save('csv', 'id,more\n1,2\n');
    const read = await readTable([path], text('id', 'gone'));
    expect(cells(read.rows, 'gone')).toEqual([null]);
    expect(read.warnings).toEqual([expect.objectContaining({ code: 'column_absent', column: 'gone' })]);
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
    expect(read.rejects[0].file).toBe('orders.csv');
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
          if (keys.dictionary[keys.codes[row]] !== `key ${next % 7} of a long kind`)
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
