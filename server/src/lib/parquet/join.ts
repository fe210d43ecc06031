// Joins Parquet files that this program wrote without decoding them: copies the row groups and writes a new footer.
import { assert } from '../failure.ts';
import { readStruct, type Struct, type Value, writeStruct } from './thrift.ts';

/** A complete Parquet file that can be read at any position. */
export type ParquetPart = {
  readonly bytes: number;
  /** The bytes in [start, end); start < end. */
  read(start: number, end: number): Promise<AsyncIterable<Uint8Array>>;
};

const magic = Buffer.from('PAR1');
const trailerBytes = 8;
const footerBytesMax = 256 * 1024 * 1024;

/** Field numbers of parquet.thrift in the Apache Parquet format. */
const fileMetaData = { schema: 2, rows: 3, rowGroups: 4 };
const rowGroup = { columns: 1, fileOffset: 5, ordinal: 7 };
const columnChunk = { fileOffset: 2, metaData: 3, offsetIndex: 4, columnIndex: 6 };
const columnMetaData = { dataPage: 9, indexPage: 10, dictionaryPage: 11, bloomFilter: 14 };

/**
 * Yields the bytes of one file with the row groups of all parts, in their order. The parts must have the same schema,
 * as those of one writer do. The same parts give the same bytes.
 */
export async function* joinParquet(parts: readonly ParquetPart[]): AsyncGenerator<Uint8Array> {
  assert(parts.length > 0, 'a file is made of one part at least');
  const groups: Value[] = [];
  let footer: Struct | null = null;
  let rows = 0n;
  let at = magic.length;
  yield magic;
  for (const part of parts) {
    const { fields, start } = await readFooter(part);
    if (footer === null) footer = fields;
    else assert(sameSchema(footer, fields), 'parts of a file have the same schema');
    rows += integerOf(fields, fileMetaData.rows);
    for (const group of listOf(fields, fileMetaData.rowGroups))
      groups.push({ type: 'struct', fields: moveRowGroup(structOf(group), BigInt(at - magic.length), groups.length) });
    if (start > magic.length) yield* await part.read(magic.length, start);
    at += start - magic.length;
  }
  const joined = new Map(footer!);
  joined.set(fileMetaData.rows, { type: 'i64', value: rows });
  joined.set(fileMetaData.rowGroups, { type: 'list', of: 12, items: groups });
  const bytes = writeStruct(joined);
  const trailer = Buffer.alloc(trailerBytes);
  trailer.writeUInt32LE(bytes.length, 0);
  magic.copy(trailer, 4);
  yield bytes;
  yield trailer;
}

async function readFooter(part: ParquetPart): Promise<{ fields: Struct; start: number }> {
  const trailer = await collect(await part.read(part.bytes - trailerBytes, part.bytes));
  assert(trailer.subarray(4).equals(magic), 'a part is a Parquet file');
  const length = trailer.readUInt32LE(0);
  assert(length <= footerBytesMax && length <= part.bytes - trailerBytes - magic.length, 'a footer lies in its file');
  const start = part.bytes - trailerBytes - length;
  return { fields: readStruct(await collect(await part.read(start, start + length))), start };
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function sameSchema(a: Struct, b: Struct): boolean {
  const bytes = (fields: Struct) => writeStruct(new Map([[fileMetaData.schema, fields.get(fileMetaData.schema)!]]));
  return bytes(a).equals(bytes(b));
}

/** The metadata of a row group whose bytes moved `by` towards the end, as row group number `ordinal` of its file. */
function moveRowGroup(fields: Struct, by: bigint, ordinal: number): Struct {
  const moved = shift(fields, [rowGroup.fileOffset], by);
  if (moved.has(rowGroup.ordinal)) moved.set(rowGroup.ordinal, { type: 'i16', value: BigInt(ordinal) });
  const columns = listOf(fields, rowGroup.columns).map((column): Value => {
    const chunk = shift(
      structOf(column),
      [columnChunk.fileOffset, columnChunk.offsetIndex, columnChunk.columnIndex],
      by,
    );
    const metaData = chunk.get(columnChunk.metaData);
    assert(metaData, 'a column chunk has its metadata in the footer');
    const places = Object.values(columnMetaData);
    chunk.set(columnChunk.metaData, { type: 'struct', fields: shift(structOf(metaData), places, by) });
    return { type: 'struct', fields: chunk };
  });
  moved.set(rowGroup.columns, { type: 'list', of: 12, items: columns });
  return moved;
}

/** A copy in which `by` is added to those of the given positions that are present; a position of 0 means none. */
function shift(fields: Struct, places: readonly number[], by: bigint): Struct {
  const moved = new Map(fields);
  for (const place of places) {
    const value = fields.get(place);
    if (value === undefined) continue;
    assert(value.type === 'i64', 'places in a file have 64 bits');
    if (value.value > 0n) moved.set(place, { type: 'i64', value: value.value + by });
  }
  return moved;
}

function integerOf(fields: Struct, id: number): bigint {
  const value = fields.get(id);
  assert(value?.type === 'i64', `field ${id} is a number of 64 bits`);
  return value.value;
}

function listOf(fields: Struct, id: number): readonly Value[] {
  const value = fields.get(id);
  assert(value?.type === 'list', `field ${id} is a list`);
  return value.items;
}

function structOf(value: Value): Struct {
  assert(value.type === 'struct', 'a structure stands here');
  return value.fields;
}
