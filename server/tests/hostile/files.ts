/** Files that an attacker sends, as data: what each is, and what becomes of an ingestion of it. */
import { gzipSync } from 'node:zlib';
import { parquetOf } from './parquet-bytes.ts';
import { repeatGroups, sayRows, sayValues, withFooter } from './parquet-footer.ts';

export type HostileFile = {
  readonly name: string;
  /** Of so many bytes or rows that it is only sent in the long tests. */
  readonly isLarge?: true;
  readonly path: string;
  readonly contentType: string;
  bytes(): Uint8Array;
  /**
   * Of the first ingestion of a workspace, into a table of its own. 'limit': refused by a limit of files. 'unreadable':
   * refused as a file that cannot be read. 'rows': some of its rows are told as deviations. 'taken': all of its rows
   * are read. `message`: what a deviation says.
   */
  readonly expect: {
    readonly outcome: 'limit' | 'unreadable' | 'rows' | 'taken';
    readonly message?: RegExp;
  };
};

const megabyte = 1024 * 1024;

const large = (file: HostileFile): HostileFile => ({ ...file, isLarge: true });

function parquet(name: string, bytes: () => Uint8Array, expect: HostileFile['expect']): HostileFile {
  const path = `${name.replaceAll(/\W+/g, '-')}.parquet`;
  return { name, path, contentType: 'application/vnd.apache.parquet', bytes, expect };
}

function text(
  format: 'csv' | 'csv.gz' | 'jsonl',
  name: string,
  bytes: () => string | Uint8Array,
  expect: HostileFile['expect'],
): HostileFile {
  const types = { csv: 'text/csv', 'csv.gz': 'application/gzip', jsonl: 'application/jsonl' };
  const made = () => {
    const content = bytes();
    return typeof content === 'string' ? new Uint8Array(Buffer.from(content)) : content;
  };
  const path = `${name.replaceAll(/\W+/g, '-')}.${format}`;
  return { name, path, contentType: types[format], bytes: made, expect };
}

const ids = (rows = 3): Uint8Array => parquetOf([{ name: 'id', value: 1n }], rows);
const many = (count: number, make: (i: number) => string, joined = ',') =>
  Array.from({ length: count }, (_, i) => make(i)).join(joined);
const deep = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);
const line = `${'a'.repeat(megabyte - 1)}\n`;

export const hostileFiles: readonly HostileFile[] = [
  parquet(
    '20,000 rows of one text of 1 MB',
    () => parquetOf([{ name: 'note', value: 'x'.repeat(1_000_000) }], 20_000),
    { outcome: 'limit', message: /unpack to more than \d GB from \d+ (bytes|kB), [\d,]+ times its size/ },
  ),
  parquet('300 million rows of one number', () => ids(300_000_000), {
    outcome: 'limit',
    message: /300,000,000 rows unpack to more than 2 GB from \d+ bytes/,
  }),
  parquet(
    'a footer that says 9 trillion rows',
    () => withFooter(ids(), (footer) => sayRows(footer, 9_000_000_000_000n)),
    {
      outcome: 'limit',
      message: /at most 10,000 times/,
    },
  ),
  parquet('a footer that says fewer than no rows', () => withFooter(ids(), (footer) => sayRows(footer, -5n)), {
    outcome: 'unreadable',
  }),
  parquet('columns of more values than rows', () => withFooter(ids(), (footer) => sayValues(footer, 1_000_000n)), {
    outcome: 'taken',
  }),
  parquet(
    'a page that says it unpacks to 2 GB',
    () => parquetOf([{ name: 'note', value: 'abc', pageBytes: 2 ** 31 - 1 }], 100),
    { outcome: 'unreadable' },
  ),
  parquet(
    'a page that says it unpacks to nothing',
    () => parquetOf([{ name: 'note', value: 'x'.repeat(100_000), pageBytes: 1 }], 100),
    { outcome: 'unreadable' },
  ),
  parquet('100,000 row groups of the same bytes', () => withFooter(ids(), (footer) => repeatGroups(footer, 100_000)), {
    outcome: 'limit',
    message: /has 100,000 row groups: at most 32,767/,
  }),
  parquet(
    '6,000 columns in Parquet',
    () =>
      parquetOf(
        Array.from({ length: 6_000 }, (_, i) => ({ name: `c${i}`, value: 1n })),
        1,
      ),
    {
      outcome: 'limit',
      message: /has 6,000 columns: at most 5,000/,
    },
  ),
  parquet(
    'one text of 12 MB',
    () =>
      parquetOf(
        [
          { name: 'id', value: 7n },
          { name: 'note', value: 'y'.repeat(12e6) },
        ],
        2,
      ),
    {
      outcome: 'rows',
      message: /the row is longer than 10 MB/,
    },
  ),
  parquet(
    'texts of 100 kB that all differ from a footer that names them short',
    () => parquetOf([{ name: 'note', value: 'z'.repeat(100_000) }], 1_000),
    { outcome: 'taken' },
  ),
  parquet('a footer of 60 MB that is not there', () => trailer(60 * megabyte), { outcome: 'unreadable' }),
  parquet('a footer of nothing', () => trailer(0), { outcome: 'unreadable' }),
  large(
    parquet(
      'a footer of 70 MB of nothing',
      () =>
        new Uint8Array(
          Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(70 * megabyte), trailer(70 * megabyte).subarray(4)]),
        ),
      { outcome: 'limit', message: /footer of 70 MB: at most 64 MB/ },
    ),
  ),
  parquet(
    'a footer nested without end',
    () => {
      const footer = Buffer.alloc(megabyte, 0x1c);
      const end = trailer(footer.length).subarray(4);
      return new Uint8Array(Buffer.concat([Buffer.from('PAR1'), footer, end]));
    },
    { outcome: 'unreadable' },
  ),
  text('csv', '20,000 columns in CSV', () => `${many(20_000, (i) => `c${i}`)}\n`, {
    outcome: 'limit',
    message: /has 20,000 columns: at most 5,000/,
  }),
  text('csv', '5,000 columns in CSV', () => `${many(5_000, (i) => `c${i}`)}\n${many(5_000, String)}\n`, {
    outcome: 'taken',
  }),
  text('csv', 'a header that never ends', () => `id,${'x'.repeat(12 * megabyte)}`, {
    outcome: 'unreadable',
    message: /the line is longer than 10 MB/,
  }),
  text('csv', 'a quote that is opened in the header', () => `id,"note${'x\n'.repeat(6 * megabyte)}`, {
    outcome: 'unreadable',
    message: /a quote is lost/,
  }),
  text('csv', 'a row of 11 MB', () => `id,note\n1,a\n2,${'x'.repeat(11e6)}\n3,c\n`, {
    outcome: 'rows',
    message: /the row is longer than 10 MB/,
  }),
  large(
    text('csv', 'a million rows of too many fields', () => `id,note\n1,a\n${'1,2,3\n'.repeat(1_000_000)}`, {
      outcome: 'rows',
      message: /expected 2 fields, found 3/,
    }),
  ),
  text(
    'csv',
    'values of a million blanks',
    () =>
      `id,note,v\n${many(20, (i) => `${i},<${' '.repeat(200_000)}x,${i === 9 ? `${' '.repeat(200_000)}y` : i}`, '\n')}\n`,
    {
      outcome: 'taken',
    },
  ),
  text('csv', 'formulas in every cell', () => `=id,@note\n=1+1,+cmd|' /C calc'!A0\n`, { outcome: 'taken' }),
  large(
    text(
      'csv.gz',
      '500 MB behind an open quote in half a megabyte',
      () => gzipSync(Buffer.concat([Buffer.from('id,note\n1,a\n2,"b'), Buffer.alloc(500 * megabyte, 'x')])),
      { outcome: 'limit', message: /row 2: .*opened in column "note" is not closed/ },
    ),
  ),
  large(
    text(
      'csv.gz',
      '2 GB of one line in 2 MB',
      () => {
        const member = gzipSync(line.repeat(128));
        return new Uint8Array(Buffer.concat([gzipSync('id\n'), ...Array.from({ length: 16 }, () => member)]));
      },
      { outcome: 'limit', message: /the gzip unpacks to more than 1 GB .* at most 500 times/ },
    ),
  ),
  text('csv.gz', 'gzip within gzip', () => gzipSync(gzipSync('id\n1\n')), { outcome: 'unreadable' }),
  text('csv.gz', 'a gzip that ends amid a block', () => gzipSync(line.repeat(4)).subarray(0, 2_000), {
    outcome: 'unreadable',
    message: /gzip data is damaged or cut short/,
  }),
  text(
    'jsonl',
    'a value nested 100,000 deep',
    () => `{"id":1,"note":"a"}\n{"id":2,"note":${deep(100_000, '[', ']')}}\n`,
    {
      outcome: 'rows',
      message: /nests deeper than 100 levels/,
    },
  ),
  text('jsonl', 'a line nested 100,000 deep', () => `{"id":1}\n${deep(100_000, '{"a":', '')}\n{"id":3}\n`, {
    outcome: 'rows',
    message: /the line is not valid JSON/,
  }),
  large(
    text('jsonl', 'a line of 100 MB', () => `{"id":1,"note":"a"}\n{"id":2,"note":"${'x'.repeat(100 * megabyte)}"}\n`, {
      outcome: 'limit',
      message: /row 2: the line is longer than 10 MB/,
    }),
  ),
  text('jsonl', '300,000 keys', () => `{${many(300_000, (i) => `"k${i}":${i}`)}}\n`, {
    outcome: 'limit',
    message: /has 300,000 columns: at most 5,000/,
  }),
  text('jsonl', 'a key that every object inherits', () => '{"__proto__":1,"constructor":2,"id":3}\n'.repeat(3), {
    outcome: 'taken',
  }),
  text('jsonl', 'numbers beyond all numbers', () => `{"id":1e999,"v":${'9'.repeat(100_000)}}\n{"id":-0,"v":1}\n`, {
    outcome: 'taken',
  }),
];

/** What stands at the end of a Parquet file with a footer of so many bytes, after the mark at its beginning. */
function trailer(bytes: number): Uint8Array {
  const end = Buffer.from([0x50, 0x41, 0x52, 0x31, 0, 0, 0, 0, 0x50, 0x41, 0x52, 0x31]);
  end.writeUInt32LE(bytes, 4);
  return new Uint8Array(end);
}
