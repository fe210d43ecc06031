/** Files that say far more than they weigh: they are refused with their ratio, or read in bounded memory. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { sayRows, sayValues, withFooter } from '../../../tests/hostile/parquet-footer.ts';
import { cells, folder, refusal, save, saveParquet, text } from '../../../tests/support/samples/lib-files.ts';
import { describeFile, readChunks, readTable } from './read.ts';

const megabyte = 1024 * 1024;

async function readAll(path: string, ...names: string[]): Promise<{ rows: number; rejects: number }> {
  let rows = 0;
  let rejects = 0;
  for await (const chunk of readChunks(path, text(...names))) {
    rows += chunk.rows.rows;
    rejects += chunk.rejectedTotal;
  }
  return { rows, rejects };
}

describe('Parquet', () => {
  test('one long text for many rows is refused with its ratio, before it is read', async () => {
    const path = await saveParquet("select t as note from range(2000), (select repeat('x', 1000000) t)");
    const before = process.memoryUsage().rss;
    const message = await refusal(readAll(path, 'note'));
    expect(message).toMatch(
      /^f\d+.parquet: its rows unpack to more than 1 GB from \d kB, [\d,]+ times its size: .* at most 10,000 times/,
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(600 * megabyte);
  });

  test('many rows of nothing are refused with their ratio', async () => {
    const small = await saveParquet('select 1::tinyint id from range(1000)');
    const path = save(
      'parquet',
      withFooter(readFileSync(small), (footer) => sayRows(footer, 300_000_000n)),
    );
    expect(await refusal(describeFile(path))).toMatch(
      /^f\d+.parquet: its 300,000,000 rows unpack to more than 2 GB from \d+ bytes, .* at most 10,000 times/,
    );
  });

  test('an honest file may be as dense as its data', async () => {
    const path = await saveParquet('select true as paid from range(50000000)');
    expect((await describeFile(path)).rows).toBe(50_000_000);
  });

  test('long texts among short ones are read as they are, and a row too long is rejected', async () => {
    const path = await saveParquet(
      `select i id, case when i = 3000 then repeat('y', 11 * 1024 * 1024) when i % 500 = 7 then i || repeat('é', 100000) else 'n' || i end as note,
       case when i % 500 = 7 then null else i * 2 end as twice from range(5000) r(i) order by i`,
    );
    const read = await readTable(
      [path],
      [{ name: 'id', type: 'integer' }, ...text('note'), { name: 'twice', type: 'number' }],
    );
    expect(read.rejects).toMatchObject([{ row: 3001, column: null, reason: 'the row is longer than 10 MB' }]);
    const notes = cells(read.rows, 'note') as string[];
    expect(cells(read.rows, 'id')).toEqual(Array.from({ length: 5000 }, (_, i) => i).filter((i) => i !== 3000));
    const ids = cells(read.rows, 'id') as number[];
    for (const [at, id] of ids.entries())
      expect(notes[at] === (id % 500 === 7 ? id + 'é'.repeat(100_000) : `n${id}`)).toBe(true);
    expect(cells(read.rows, 'twice').slice(5, 9)).toEqual([10, 12, null, 16]);
    expect([...read.rowNumbers].slice(2998, 3001)).toEqual([2999, 3000, 3002]);
  });

  test('a chunk of long texts has few rows', async () => {
    const path = await saveParquet(
      "select i || repeat('x', 200000) as note from range(800) r(i)",
      'compression snappy',
    );
    const sizes: number[] = [];
    for await (const { rows } of readChunks(path, text('note'))) sizes.push(rows.rows);
    expect(sizes.reduce((sum, rows) => sum + rows, 0)).toBe(800);
    expect(Math.max(...sizes)).toBeLessThan(700);
  });

  test('a footer larger than any of an honest file is refused unread', async () => {
    const path = join(folder, 'footer.parquet');
    const trailer = Buffer.from([0, 0, 0, 0x10, 80, 65, 82, 49]);
    writeFileSync(path, Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(1000), trailer]));
    expect(await refusal(describeFile(path))).toMatch(/^footer.parquet: .*damaged or cut short/);
    const large = Buffer.alloc(66 * megabyte);
    large.write('PAR1');
    large.writeUInt32LE(65 * megabyte, large.length - 8);
    large.write('PAR1', large.length - 4);
    writeFileSync(path, large);
    expect(await refusal(describeFile(path))).toMatch(/footer of 65 MB.*at most 64 MB/);
  });

  test('lists with more values in a row group than fit in memory are refused', async () => {
    const small = await saveParquet('select [1.5, i] as v from range(3000) r(i)');
    const many = withFooter(readFileSync(small), (footer) => sayValues(footer, 300_000_000n));
    const path = save('parquet', many);
    const lists = [{ name: 'v', type: 'string', takesLists: true }] as const;
    const read = async () => {
      for await (const _ of readChunks(path, lists));
    };
    expect(await refusal(read())).toMatch(/^f\d+.parquet: column "v" .* values .*at most/);
  });
});

describe('CSV', () => {
  test('a quote that is never closed is named, and the file is not read to its end for it', async () => {
    const long = `id,note\n1,a\n2,"b${'x'.repeat(11 * megabyte)}`;
    const read = await readTable([save('csv', `${long}\n3,c\n`)], text('id', 'note'));
    expect(read.rejects).toMatchObject([
      { row: 2, reason: 'the row is longer than 10 MB: the quote that is opened in column "note" is not closed' },
    ]);
    expect(cells(read.rows, 'id')).toEqual(['1', '3']);
    const endless = save('csv', long + 'x'.repeat(80 * megabyte));
    expect(await refusal(readAll(endless, 'id', 'note'))).toMatch(
      /^f\d+.csv, row 2: .*opened in column "note" is not closed. More than 64 MB of the file/,
    );
  });

  test('a gzip that unpacks to far more than its size is refused with its ratio', async () => {
    const line = `${'a'.repeat(megabyte - 1)}\n`;
    const member = gzipSync(line.repeat(256), { level: 9 });
    // Members of a gzip file follow one another: together they unpack to 1.2 GB.
    const path = join(folder, 'dense.csv.gz');
    writeFileSync(path, Buffer.concat([gzipSync('id\n'), ...Array.from({ length: 5 }, () => member)]));
    expect(statSync(path).size).toBeLessThan(8 * megabyte);
    expect(await refusal(describeFile(path))).toMatch(
      /^dense.csv.gz: the gzip unpacks to more than 1 GB from 1 MB, \d+ times its size: .* at most 500 times/,
    );
  });
});

describe('columns', () => {
  const names = Array.from({ length: 5001 }, (_, i) => `c${i}`);
  const tooMany = /has 5,001 columns: at most 5,000/;

  test('more than 5,000 are refused by the header alone', async () => {
    expect(await refusal(describeFile(save('csv', `${names.join(',')}\n`)))).toMatch(tooMany);
    const object = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])));
    expect(await refusal(describeFile(save('jsonl', `${object}\n`)))).toMatch(tooMany);
    const wide = await saveParquet(`select ${names.map((name) => `1 as ${name}`).join(', ')}`);
    expect(await refusal(describeFile(wide))).toMatch(tooMany);
    const most = await describeFile(save('csv', `${names.slice(1).join(',')}\n`));
    expect(most.columns).toHaveLength(5000);
  });
});
