/** Parquet made byte by byte, so that it can be as dense, or as untrue, as its maker wants. */
import { zstdCompressSync } from 'node:zlib';
import { type Value, writeStruct } from '../../src/lib/parquet/thrift.ts';

const magic = Buffer.from('PAR1');
const [int64, byteArray] = [2, 6];
const [plain, rleDictionary] = [0, 8];
const zstd = 6;

export type Dense = {
  readonly name: string;
  /** The one value of the column in all rows. */
  readonly value: string | bigint;
  /** What the header of the page says that it unpacks to, instead of the truth. */
  readonly pageBytes?: number;
};

/** A file of one row group, in which each column repeats one value in all `rows` rows. */
export function parquetOf(columns: readonly Dense[], rows: number): Uint8Array {
  const pieces: Buffer[] = [magic];
  let at = magic.length;
  const add = (...added: Buffer[]): number => {
    const start = at;
    for (const piece of added) at += piece.length;
    pieces.push(...added);
    return start;
  };
  const chunks = columns.map((column) => {
    const body = column.value.toString();
    const value = Buffer.from(typeof column.value === 'string' ? `....${body}` : '........');
    if (typeof column.value === 'string') value.writeUInt32LE(value.length - 4);
    else value.writeBigInt64LE(column.value);
    const packed = zstdCompressSync(value);
    const head = pageHead(2, column.pageBytes ?? value.length, packed.length, 7, [
      [1, i32(1)],
      [2, i32(plain)],
    ]);
    const dictionary = add(head, packed);
    // One bit a value, and one run of all rows, whose value is the first of the dictionary.
    const runs = Buffer.from([1, ...varint(rows * 2), 0]);
    const run = zstdCompressSync(runs);
    const levels = [2, 3, 4].map((id): [number, Value] => [id, i32(id === 2 ? rleDictionary : 3)]);
    const data = add(pageHead(0, runs.length, run.length, 5, [[1, i32(rows)], ...levels]), run);
    return chunkOf(column, rows, { dictionary, data, end: at, unpacked: value.length + runs.length });
  });
  const group = structOf([
    [1, listOf(chunks)],
    [2, i64(at)],
    [3, i64(rows)],
  ]);
  const root = structOf([
    [4, binary('schema')],
    [5, i32(columns.length)],
  ]);
  const leaves = columns.map(({ name, value }) =>
    structOf([
      [1, i32(typeof value === 'string' ? byteArray : int64)],
      [3, i32(0)],
      [4, binary(name)],
      ...(typeof value === 'string' ? [[6, i32(0)] as [number, Value]] : []),
    ]),
  );
  const footer = writeStruct(
    new Map([
      [1, i32(1)],
      [2, listOf([root, ...leaves])],
      [3, i64(rows)],
      [4, listOf([group])],
    ]),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  add(footer, length, magic);
  return new Uint8Array(Buffer.concat(pieces));
}

type Places = { readonly dictionary: number; readonly data: number; readonly end: number; readonly unpacked: number };

function chunkOf({ name, value }: Dense, rows: number, { dictionary, data, end, unpacked }: Places): Value {
  const meta = structOf([
    [1, i32(typeof value === 'string' ? byteArray : int64)],
    [2, { type: 'list', of: 5, items: [i32(plain), i32(rleDictionary)] }],
    [3, { type: 'list', of: 8, items: [binary(name)] }],
    [4, i32(zstd)],
    [5, i64(rows)],
    [6, i64(unpacked)],
    [7, i64(end - dictionary)],
    [9, i64(data)],
    [11, i64(dictionary)],
  ]);
  return structOf([
    [2, i64(dictionary)],
    [3, meta],
  ]);
}

function pageHead(type: number, unpacked: number, packed: number, id: number, own: [number, Value][]): Buffer {
  return writeStruct(
    new Map([
      [1, i32(type)],
      [2, i32(unpacked)],
      [3, i32(packed)],
      [id, structOf(own)],
    ]),
  );
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

const i32 = (value: number): Value => ({ type: 'i32', value: BigInt(value) });
const i64 = (value: number): Value => ({ type: 'i64', value: BigInt(value) });
const binary = (text: string): Value => ({ type: 'binary', value: Buffer.from(text) });
const structOf = (fields: [number, Value][]): Value => ({ type: 'struct', fields: new Map(fields) });
const listOf = (items: Value[]): Value => ({ type: 'list', of: 12, items });
