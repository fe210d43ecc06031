import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { cells, save, text } from '../../../tests/support/samples/lib-files.ts';
import { describeFile, readTable } from './read.ts';

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
    const because = { code: 'row_fields', expected: 2 };
    expect(read.rejects).toMatchObject([
      { row: 2, column: null, reason: 'expected 2 fields, found 1', because: { ...because, found: 1 }, value: '3' },
      { row: 3, column: null, reason: 'expected 2 fields, found 3', because: { ...because, found: 3 }, value: '4,5,6' },
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

  test('what is shown of a value has whole characters', async () => {
    const read = await readTable(
      [save('csv', `a\n${'x'.repeat(76)}😀${'x'.repeat(9)}\n`)],
      [{ name: 'a', type: 'number' }],
    );
    expect(read.rejects[0]).toMatchObject({ value: `${'x'.repeat(76)}...` });
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
