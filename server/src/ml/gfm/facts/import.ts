import { basename } from 'node:path';
import { Failure } from '../../../lib/failure.ts';
import { type Column, type Rows, type TextColumn, toDoubles } from '../../../lib/files/column.ts';
import { hashFile } from '../../../lib/files/hash.ts';
import {
  type ColumnRequest,
  describeFile,
  type FileDescription,
  type ReadTable,
  readTable,
} from '../../../lib/files/read.ts';
import type { Reject } from '../../../lib/files/rejects.ts';
import { RejectLog } from '../../../lib/files/rejects.ts';
import { type EntityKind, microsecondsPerDay } from '../../contract/contract.ts';
import { type AttributeValue, type FactBook, openBook } from './book.ts';
import { entityKinds, type FactStore, type StoreSource } from './store.ts';

export type ImportReport = {
  readonly rejects: readonly Reject[];
  readonly rejectedTotal: number;
};

const edgeColumns = ['subject', 'relation', 'object'];
const nodeColumns = ['id', 'kind'];
/** These columns are not attributes. */
const nodeReserved = new Set([...nodeColumns, 'known_at', 'synthetic']);

/**
 * Builds a store from files of nodes and edges: CSV, Parquet or JSONL.
 *
 * Nodes have `id`, `kind` (company, individual, asset, event, other), optionally `known_at` (from then on a later row
 * of an id replaces earlier ones) and `synthetic`. Every other column is an attribute: a number, a date, or text. Edges
 * have `subject`, `relation`, `object`, optionally `weight` (> 0, 1 by default), `known_at`, `subject_kind`,
 * `object_kind`. Edges with `from` (and `to`, empty while they go on) are lasting; edges with `at` are momentary. A
 * column that has only dates is known at the end of each day (UTC). An end that is not among the nodes is of kind
 * other, unless its kind is given.
 *
 * A row that cannot be used (no id, no date, an end before its start, no positive weight, an unknown kind) is rejected,
 * and the other rows are read. A store is synthetic when there are files of nodes and every row of them is marked so.
 * Throws Failure 'invalid' for a file that is neither nodes nor edges, or when an id without a given kind has several.
 */
export async function importFiles(
  paths: readonly string[],
  progress: (line: string) => void = () => {},
): Promise<{ store: FactStore; report: ImportReport }> {
  const book = openBook();
  const log = new RejectLog();
  const sources: StoreSource[] = [];
  const kindsOf = new Map<string, EntityKind | 'several'>();
  const described = [];
  for (const path of paths) {
    const file = await describeFile(path);
    described.push({ path, file, role: roleOf(file, basename(path)) });
  }
  // Nodes are read before edges, whatever the order of the files: they give the kinds of the edges' ends.
  let isSynthetic = described.some(({ role }) => role === 'nodes');
  for (const { path, file, role } of described.toSorted((a, b) => (a.role < b.role ? 1 : a.role > b.role ? -1 : 0))) {
    const read =
      role === 'nodes'
        ? await readNodes(path, file, book, kindsOf, log)
        : await readEdges(path, file, book, kindsOf, log);
    if (role === 'nodes' && !read.isSynthetic) isSynthetic = false;
    sources.push({ name: basename(path), sha256: hashFile(path), rows: read.rows });
    progress(`read ${basename(path)}: ${read.rows} ${role}`);
  }
  return {
    store: book.finish(isSynthetic, sources),
    report: { rejects: log.kept, rejectedTotal: log.total },
  };
}

function roleOf(file: FileDescription, name: string): 'nodes' | 'edges' {
  const has = (wanted: readonly string[]) =>
    wanted.every((column) => file.columns.some((each) => each.name === column));
  if (has(edgeColumns)) return 'edges';
  if (has(nodeColumns)) return 'nodes';
  const found = file.columns.map((column) => column.name).join(', ');
  throw new Failure(
    'invalid',
    `${name} holds neither edges (${edgeColumns.join(', ')}) nor nodes (${nodeColumns.join(', ')}): its columns are ${found}`,
  );
}

type KindsOf = Map<string, EntityKind | 'several'>;
type FileRead = { readonly rows: number; readonly isSynthetic: boolean };

async function readNodes(
  path: string,
  file: FileDescription,
  book: FactBook,
  kindsOf: KindsOf,
  log: RejectLog,
): Promise<FileRead> {
  const name = basename(path);
  const given = file.columns.filter((column) => !nodeReserved.has(column.name));
  const requests: ColumnRequest[] = [
    { name: 'id', type: 'string', required: true },
    { name: 'kind', type: 'string', required: true },
    ...optional(file, { known_at: 'timestamp', synthetic: 'boolean' }),
    ...given.map((column) => ({ name: column.name, type: column.type === 'time' ? ('string' as const) : column.type })),
  ];
  const { columns, rows, rowNumbers } = await readRows(path, requests, log);
  const [ids, kinds] = [textOf(columns.get('id')), textOf(columns.get('kind'))];
  const known = timesOf(columns.get('known_at'));
  const synthetic = columns.get('synthetic');
  const attributes = given.map((column) => ({ name: column.name, ...attributeOf(columns.get(column.name)!) }));
  for (const { name: attribute, kind } of attributes) book.attribute(attribute, kind);
  let isSynthetic = true;
  for (let row = 0; row < rows; row++) {
    const kind = kindNamed(kinds(row)!);
    if (kind === null) {
      log.add({
        file: name,
        row: rowNumbers[row],
        column: 'kind',
        reason: `expected one of ${entityKinds.join(', ')}`,
        value: kinds(row),
      });
      continue;
    }
    const id = ids(row)!;
    kindsOf.set(id, (kindsOf.get(id) ?? kind) === kind ? kind : 'several');
    if (!(synthetic?.kind === 'number' && synthetic.values[row] === 1)) isSynthetic = false;
    const values = new Map(
      attributes.map((attribute): [string, AttributeValue] => [attribute.name, attribute.valueAt(row)]),
    );
    book.addNode(book.entityFor(kind, id), known?.[row] ?? Number.NEGATIVE_INFINITY, values);
  }
  return { rows, isSynthetic };
}

async function readEdges(
  path: string,
  file: FileDescription,
  book: FactBook,
  kindsOf: KindsOf,
  log: RejectLog,
): Promise<FileRead> {
  const name = basename(path);
  const requests: ColumnRequest[] = [
    ...edgeColumns.map((column) => ({ name: column, type: 'string' as const, required: true })),
    ...optional(file, { from: 'timestamp', to: 'timestamp', at: 'timestamp', known_at: 'timestamp', weight: 'number' }),
    ...optional(file, { subject_kind: 'string', object_kind: 'string' }),
  ];
  const isMomentary = requests.some((request) => request.name === 'at');
  if (isMomentary === requests.some((request) => request.name === 'from'))
    throw new Failure(
      'invalid',
      `${name}: edges need either a column from (and to) or a column at, to say when they hold`,
    );
  const { columns, rows, rowNumbers } = await readRows(path, requests, log);
  const [subjects, relations, objects] = edgeColumns.map((column) => textOf(columns.get(column)));
  const starts = timesOf(columns.get(isMomentary ? 'at' : 'from'))!;
  const ends = timesOf(columns.get('to'));
  const known = timesOf(columns.get('known_at'));
  const weights = columns.get('weight');
  const endKinds = ['subject_kind', 'object_kind'].map((column) =>
    columns.has(column) ? textOf(columns.get(column)) : null,
  );
  const entityAt = (id: string, given: string | null): number | string => {
    const kind = given === null ? (kindsOf.get(id) ?? 'other') : kindNamed(given);
    if (kind === null) return `expected one of ${entityKinds.join(', ')}`;
    if (kind === 'several')
      throw new Failure(
        'invalid',
        `${name}: ${id} is of several kinds; say which in the columns subject_kind and object_kind`,
      );
    return book.entityFor(kind, id);
  };
  for (let row = 0; row < rows; row++) {
    const refuse = (column: string, reason: string) =>
      log.add({ file: name, row: rowNumbers[row], column, reason, value: null });
    const from = starts[row];
    const to = isMomentary ? from : (ends?.[row] ?? Number.NaN);
    const weight = weights?.kind === 'number' && !Number.isNaN(weights.values[row]) ? weights.values[row] : 1;
    if (Number.isNaN(from)) refuse(isMomentary ? 'at' : 'from', 'there is no date to place it by');
    else if (to < from) refuse('to', 'it ends before it begins');
    else if (!(weight > 0)) refuse('weight', 'expected a weight above 0');
    else {
      const subject = entityAt(subjects!(row)!, endKinds[0]?.(row) ?? null);
      const object = entityAt(objects!(row)!, endKinds[1]?.(row) ?? null);
      if (typeof subject === 'string') refuse('subject_kind', subject);
      else if (typeof object === 'string') refuse('object_kind', object);
      else {
        const knownAt = known === null || Number.isNaN(known[row]) ? Number.NEGATIVE_INFINITY : known[row];
        book.addFact(
          { subject, relation: relations!(row)!, object, from, to, weight, knownAt },
          isMomentary ? 'momentary' : 'lasting',
        );
      }
    }
  }
  return { rows, isSynthetic: false };
}

/** The readable rows of a file with their row numbers; the others are logged. */
async function readRows(
  path: string,
  requests: readonly ColumnRequest[],
  log: RejectLog,
): Promise<Rows & Pick<ReadTable, 'rowNumbers'>> {
  const { rows, rowNumbers, rejects, rejectedTotal } = await readTable([path], requests);
  for (const reject of rejects) log.add(reject);
  // The reader returns only a sample of many rejects.
  log.total += rejectedTotal - rejects.length;
  return { ...rows, rowNumbers };
}

function optional(file: FileDescription, wanted: Readonly<Record<string, ColumnRequest['type']>>): ColumnRequest[] {
  return Object.entries(wanted)
    .filter(([name]) => file.columns.some((column) => column.name === name))
    .map(([name, type]) => ({ name, type }));
}

function kindNamed(text: string): EntityKind | null {
  return entityKinds.find((kind) => kind === text) ?? null;
}

function textOf(column: Column | undefined): (row: number) => string | null {
  const { codes, dictionary } = column as TextColumn;
  return (row) => (codes[row] < 0 ? null : dictionary[codes[row]]);
}

/** Moments of a column. If all are whole days, the last microsecond of each day. Null without the column. */
function timesOf(column: Column | undefined): Float64Array | null {
  if (column === undefined || column.kind === 'text') return null;
  const moments = toDoubles(column.values);
  const isDays = moments.every((value) => Number.isNaN(value) || value % microsecondsPerDay === 0);
  return isDays ? moments.map((value) => value + microsecondsPerDay - 1) : moments;
}

type Attribute = { readonly kind: 'number' | 'time' | 'text'; valueAt(row: number): AttributeValue };

/** Text that contains only numbers or only dates is read as such, since CSV has only text. */
function attributeOf(column: Column): Attribute {
  if (column.kind !== 'text') {
    return { kind: column.kind, valueAt: (row) => (Number.isNaN(column.values[row]) ? null : column.values[row]) };
  }
  const { codes, dictionary } = column;
  const read = (parse: (text: string) => number): Float64Array | null => {
    const values = Float64Array.from(dictionary, parse);
    return dictionary.length > 0 && !values.some(Number.isNaN) ? values : null;
  };
  const times = read((text) => (/^\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?$/.test(text) ? Date.parse(text) * 1000 : Number.NaN));
  const numbers = read((text) =>
    /^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$/.test(text) ? Number(text) : Number.NaN,
  );
  const values = times ?? numbers;
  if (values !== null)
    return { kind: times ? 'time' : 'number', valueAt: (row) => (codes[row] < 0 ? null : values[codes[row]]) };
  return { kind: 'text', valueAt: (row) => (codes[row] < 0 ? null : dictionary[codes[row]]) };
}
