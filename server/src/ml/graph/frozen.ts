import { assert } from '../../lib/failure.ts';
import { type Column, type TextColumn, toDoubles } from '../../lib/files/column.ts';
import { readSections, type Section, writeSections } from '../../lib/files/sections.ts';
import { hashText, packTexts, startOf, unpackTexts } from '../../lib/files/texts.ts';
import type { TableContract } from '../contract/contract.ts';
import { emptySlots, numberKeys, numberSlots } from './number-keys.ts';
import type { IndexedText, KeyLookup, KeyValue, ResolvedReference, Table, Tables, Versions } from './tables.ts';

const kind = 'tables';

/** The header of the file. Numbers are positions in the list of sections. */
type Body = { readonly tables: readonly FrozenTable[] };
type FrozenTable = {
  readonly contract: TableContract;
  readonly rows: number;
  readonly columns: readonly (readonly [string, FrozenColumn])[];
  /** Hash table of a numeric key. A text key is looked up through its column. */
  readonly keySlots?: number;
  readonly references: readonly (readonly [column: string, table: string, rows: number])[];
  readonly time?: number;
  /** Columns that hold dictionary numbers in place of identifiers. */
  readonly numbers?: readonly string[];
  readonly versions?: { readonly [K in keyof Versions]: number };
};
type FrozenColumn =
  | { readonly kind: 'number' | 'time'; readonly values: number }
  | {
      readonly kind: 'text';
      readonly codes: number;
      readonly bytes: number;
      readonly ends: number;
      readonly slots: number;
    };

/**
 * Writes tables as one file that `thawTables` opens fast and without reading any of a customer's files. It holds the
 * arrays in memory layout, the dictionaries as UTF-8 with hash tables, and the resolved references. The same tables
 * give the same bytes. Of tables opened with `withIdentifiers` only the numbers are written. Returns the SHA-256 of the
 * file and its length. Throws Failure 'limit_exceeded' for a column with 4 GiB of distinct texts.
 */
export async function freezeTables(tables: Tables, path: string): Promise<{ sha256: string; bytes: number }> {
  const { body, sections } = packTables(tables);
  return await writeSections(path, kind, body, sections);
}

/** Tables as plain data and arrays. */
export type PackedTables = { readonly body: unknown; readonly sections: readonly Section[] };

/**
 * Packs tables, for a file or for another thread. References to tables of values and pairs are left out: those are made
 * when tables are opened. Throws Failure as `freezeTables` does.
 */
export function packTables(tables: Tables): PackedTables {
  const sections: Section[] = [];
  const positions = new Map<Section, number>();
  // An array shared by several places is written once.
  const place = (section: Section): number => {
    let position = positions.get(section);
    if (position === undefined) positions.set(section, (position = sections.push(section) - 1));
    return position;
  };
  const body: Body = { tables: [...tables.values()].map((table) => freezeTable(table, place)) };
  return { body, sections };
}

type Place = (section: Section) => number;

function freezeTable(table: Table, place: Place): FrozenTable {
  const { contract, rows, columns, references, time, versions, numbers } = table;
  assert(!table.values, 'tables of values are made when a version is opened');
  const key = contract.key.length === 1 ? columns.get(contract.key[0]) : undefined;
  return {
    contract,
    rows,
    columns: [...columns].map(([name, column]) => [name, freezeColumn(column, place)] as const),
    ...(key && key.kind !== 'text' && { keySlots: place(numberSlots(toDoubles(key.values))) }),
    references: [...references]
      .filter(([, { values }]) => !values)
      .map(([column, to]) => [column, to.table, place(to.rows)] as const),
    ...(time && { time: place(time) }),
    ...(numbers && { numbers: [...numbers.columns] }),
    ...(versions && {
      versions: {
        from: place(versions.from),
        until: place(versions.until),
        offsets: place(versions.offsets),
        rows: place(versions.rows),
      },
    }),
  };
}

function freezeColumn(column: Column, place: Place): FrozenColumn {
  if (column.kind !== 'text') return { kind: column.kind, values: place(toDoubles(column.values)) };
  const { bytes, ends, slots } =
    'packed' in column ? (column as IndexedText).packed : packDictionary(column.dictionary);
  return { kind: 'text', codes: place(column.codes), bytes: place(bytes), ends: place(ends), slots: place(slots) };
}

function packDictionary(dictionary: readonly string[]): IndexedText['packed'] {
  const { bytes, ends } = packTexts(dictionary);
  return { bytes, ends, slots: textSlots(bytes, ends) };
}

/**
 * Opens what `freezeTables` wrote: the same tables, bit for bit. Keys of tables that hold dictionary numbers are looked
 * up by number (see `withIdentifiers`). A dictionary is turned into strings on first use. With `isShared` threads share
 * the memory that the tables lie in. Throws Failure 'not_found', and 'invalid' when the file is damaged or of another
 * version.
 */
export async function thawTables(path: string, isShared = false): Promise<Tables> {
  return unpackTables(await readSections(path, kind, isShared));
}

/** Opens what `packTables` made, in the arrays that it is in. A dictionary is turned into strings on first use. */
export function unpackTables({ body, sections }: PackedTables): Tables {
  // Whoever reads a file has checked its checksum, so the body is what `packTables` made.
  const { tables } = body as Body;
  const at = <S extends Section>(position: number): S => sections[position] as S;
  return new Map(tables.map((table): [string, Table] => [table.contract.name, thawTable(table, at)]));
}

type At = <S extends Section>(position: number) => S;

function thawTable(frozen: FrozenTable, at: At): Table {
  const { contract, rows, keySlots, time, versions, numbers } = frozen;
  const columns = new Map(frozen.columns.map(([name, column]): [string, Column] => [name, thawColumn(column, at)]));
  const key = contract.key.length === 1 ? columns.get(contract.key[0]) : undefined;
  return {
    contract,
    name: contract.name,
    rows,
    columns,
    rowOf:
      key === undefined
        ? nothing
        : key.kind === 'text'
          ? textKeys(key as IndexedText)
          : numberKeys(toDoubles(key.values), at(keySlots!)),
    references: new Map(
      frozen.references.map(([column, table, to]): [string, ResolvedReference] => [column, { table, rows: at(to) }]),
    ),
    ...(time === undefined ? {} : { time: at<Float64Array>(time) }),
    ...(numbers && { numbers: { columns: new Set(numbers) } }),
    ...(versions && {
      versions: {
        from: at(versions.from),
        until: at(versions.until),
        offsets: at(versions.offsets),
        rows: at(versions.rows),
      },
    }),
  };
}

function thawColumn(column: FrozenColumn, at: At): Column {
  if (column.kind !== 'text') return { kind: column.kind, values: at<Float64Array>(column.values) };
  return indexedText(at(column.codes), { bytes: at(column.bytes), ends: at(column.ends), slots: at(column.slots) });
}

const nothing: KeyLookup = { get: () => undefined };

function indexedText(codes: Int32Array, packed: IndexedText['packed']): IndexedText {
  const { bytes, ends, slots } = packed;
  let dictionary: string[] | undefined;
  return {
    kind: 'text',
    codes,
    get dictionary() {
      dictionary ??= unpackTexts(packed);
      return dictionary;
    },
    size: ends.length,
    packed,
    codeOf(text) {
      const wanted = Buffer.from(text);
      const mask = slots.length - 1;
      for (let slot = hashText(wanted, 0, wanted.length) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
        const code = slots[slot] - 1;
        if (wanted.equals(bytes.subarray(startOf(ends, code), ends[code]))) return code;
      }
      return undefined;
    },
  };
}

function textKeys(column: IndexedText): KeyLookup {
  let firstRows: Int32Array | undefined;
  return {
    get(key: KeyValue) {
      const code = typeof key === 'string' ? column.codeOf(key) : undefined;
      if (code === undefined) return undefined;
      firstRows ??= firstRowOfCodes(column, column.size);
      return firstRows[code] < 0 ? undefined : firstRows[code];
    },
  };
}

function firstRowOfCodes({ codes }: TextColumn, size: number): Int32Array {
  const first = new Int32Array(size).fill(-1);
  for (let row = codes.length - 1; row >= 0; row--) if (codes[row] >= 0) first[codes[row]] = row;
  return first;
}

function textSlots(bytes: Uint8Array, ends: Uint32Array): Int32Array {
  const slots = emptySlots(ends.length);
  const mask = slots.length - 1;
  for (const [code, end] of ends.entries()) {
    let slot = hashText(bytes, startOf(ends, code), end) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = code + 1;
  }
  return slots;
}
