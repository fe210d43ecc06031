/** Parquet files whose footers say what is not so. */
import { readStruct, type Struct, type Value, writeStruct } from '../../src/lib/parquet/thrift.ts';

/** The file with another footer, whose structure `edit` changes in place. Field numbers are those of parquet.thrift. */
export function withFooter(bytes: Uint8Array, edit: (footer: Struct) => void): Uint8Array {
  const file = Buffer.from(bytes);
  const start = file.length - 8 - file.readUInt32LE(file.length - 8);
  const footer = readStruct(file.subarray(start, file.length - 8));
  edit(footer);
  const written = writeStruct(footer);
  const trailer = Buffer.from([0, 0, 0, 0, 80, 65, 82, 49]);
  trailer.writeUInt32LE(written.length);
  return new Uint8Array(Buffer.concat([file.subarray(0, start), written, trailer]));
}

/** Says that the file, its row groups and their columns have `rows` rows. */
export function sayRows(footer: Struct, rows: bigint): void {
  footer.set(3, { type: 'i64', value: rows });
  for (const group of itemsOf(footer, 4)) group.set(3, { type: 'i64', value: rows });
  sayValues(footer, rows);
}

/** Says that each column has `values` values in each row group. */
export function sayValues(footer: Struct, values: bigint): void {
  const columns = itemsOf(footer, 4).flatMap((group) => itemsOf(group, 1));
  for (const column of columns) fieldsOf(column.get(3)!).set(5, { type: 'i64', value: values });
}

/** Repeats the first row group until there are `count`. */
export function repeatGroups(footer: Struct, count: number): void {
  const groups = listOf(footer, 4);
  const [first] = groups;
  while (groups.length < count) groups.push(first);
  const rows = fieldsOf(first).get(3) as { readonly value: bigint };
  footer.set(3, { type: 'i64', value: rows.value * BigInt(count) });
}

/** The structures in a list. */
function itemsOf(fields: Struct, id: number): Struct[] {
  return listOf(fields, id).map(fieldsOf);
}

function listOf(fields: Struct, id: number): Value[] {
  const value = fields.get(id);
  if (value?.type !== 'list') throw new Error(`field ${id} is no list`);
  return value.items;
}

function fieldsOf(value: Value): Struct {
  if (value.type !== 'struct') throw new Error('no structure');
  return value.fields;
}
