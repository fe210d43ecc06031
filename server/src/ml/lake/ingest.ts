import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import { pickRows } from '../../lib/files/column.ts';
import { readChunks } from '../../lib/files/read.ts';
import type { Contract, TableContract } from '../contract/contract.ts';
import { type Deviation, wholeFile } from '../contract/deviation.ts';
import { parseStoredContract } from '../contract/parse.ts';
import { isReserved } from '../contract/reserved.ts';
import { writeContract } from '../contract/write.ts';
import type { KeyValue } from '../graph/tables.ts';
import { changedRows, compareWithParts, identical } from './compare.ts';
import {
  checkDelivery,
  type DataRefusal,
  type DeliveryCheck,
  type FileDeviations,
  type StructureRefusal,
} from './delivery.ts';
import { type IncomingFile, nameOf } from './files.ts';
import { growIdentifiers, type IdentifierBook, type Identifiers } from './identifiers.ts';
import { layoutOf, numberedColumns, personalColumns, translate } from './layout.ts';
import { type Located, type Manifest, type Mode, type TablePart, writeManifest } from './manifest.ts';
import { openPartWriter, ownTime } from './part.ts';
import { type TableReport, TableSummary } from './report.ts';

export type IngestInput = {
  readonly contract: Contract;
  /** The state before the call; null when there is none. */
  readonly previous: Manifest | null;
  /** The path at which a part of the state before can be read. */
  readonly pathOf: (part: TablePart) => string | Promise<string>;
  /** In the order in which they apply. */
  readonly files: readonly IncomingFile[];
  /** The folder that new parts are written to, as `<sha256>.parquet`. */
  readonly out: string;
  /** The moment of ingestion, microseconds. */
  readonly now: number;
  /**
   * The present dictionary. With it, identifiers of companies, people and assets are stored as its numbers, and
   * personal data are not stored at all. Without it rows are stored as they come. All files of one state are stored the
   * same way.
   */
  readonly identifiers?: Identifiers;
  /** Whether columns unknown to the contract are left out with a note, instead of leading to a new contract. */
  readonly ignoreUnknownColumns?: boolean;
  readonly progress?: (line: string) => void;
  readonly signal?: AbortSignal;
};

export type Ingested =
  /**
   * `newParts` are in the folder `out`. `identifiers` must be saved in place of the given dictionary before the
   * manifest is.
   */
  | {
      readonly kind: 'accepted';
      readonly manifest: Manifest;
      readonly identifiers: Identifiers | null;
      readonly newParts: readonly TablePart[];
      readonly report: DeliveryReport;
    }
  /** The state would not change. */
  | { readonly kind: 'unchanged' }
  | StructureRefusal
  | DataRefusal;

export type DeliveryReport = {
  readonly files: readonly FileReport[];
  /** Reports on the rows that were added, by table. */
  readonly tables: readonly TableReport[];
};

export type FileReport = {
  readonly file: string;
  readonly table: string;
  readonly mode: Mode;
  /** Rows read: those added, identical and rejected. */
  readonly rows: number;
  readonly added: number;
  /** Rows added as newer versions of stored rows. */
  readonly changed: number;
  /** Rows that were stored already with the same values, and were left out. */
  readonly identical: number;
  /** Rows without a key, left out. */
  readonly rejected: number;
  /** What was noticed and does not stop the file. */
  readonly warnings: readonly Deviation[];
  /** What was noticed about the file as a whole: its format, and names that differ only in case. */
  readonly notes: readonly string[];
};

/**
 * Ingests files into their tables: all of them or none. They are checked against the contract; references are also
 * checked against the other files and the state before. Then their rows are written as Parquet parts under a new
 * manifest.
 *
 * append: rows that are stored already with the same values are left out. With other values they are a deviation,
 * because an append does not change rows. upsert: rows with other values become newer versions, known from `now` on (or
 * from the contract's own `knownAt` column), and the older versions stay readable for earlier moments. replace: the
 * files of the call replace all parts of their table. A table without a key takes every row.
 *
 * A reference that leads nowhere is a warning, unless nearly all rows of a file have one (`checkDelivery`). The same
 * input gives the same bytes. Nothing new is left in `out` unless the files were accepted. Throws Failure 'invalid' for
 * a contract under which other columns would be numbers than in the parts that stay; and the reason of `signal` when it
 * is aborted.
 */
export async function ingestFiles(input: IngestInput): Promise<Ingested> {
  const { previous, contract } = input;
  const files = input.files.filter((file, at) => !isRepeated(file, input.files.slice(0, at)));
  const misused = files.flatMap((file) => misuseOf(file, contract));
  if (misused.length > 0) return { kind: 'data_error', files: misused, proposals: [] };
  const text = writeContract(contract);
  const fresh = previous === null ? files : files.filter((file) => !isPresent(file, { ...input, files }));
  if (previous !== null && fresh.length === 0 && previous.contract === text) return { kind: 'unchanged' };

  const partsOf = await locateParts(input);
  const numbered = numberedOf(input);
  refuseOtherNumbers(previous, contract, fresh);
  const check = await checkDelivery({ ...input, files: fresh }, partsOf);
  if (check.refusal !== null) return check.refusal;

  const book = input.identifiers === undefined ? null : growIdentifiers(input.identifiers);
  const staged = join(input.out, `.${randomUUID()}`);
  await mkdir(staged, { recursive: true });
  try {
    const tables: TableReport[] = [];
    const reports = new Map<IncomingFile, FileReport>();
    const refused: FileDeviations[] = [];
    const written: Located[] = [];
    for (const table of contract.tables) {
      const own = fresh.filter((file) => file.table === table.name);
      if (own.length === 0) continue;
      let parts = own.some(({ mode }) => mode === 'replace') ? [] : partsOf.get(table.name)!;
      const summary = new TableSummary(table, book === null ? [] : numberedColumns(contract, table).keys());
      for (const file of own) {
        const taken = await takeFile(input, book, table, file, parts, staged, summary);
        const { part, deviations } = taken;
        const rows = check.rows.get(file)!;
        if (deviations.length > 0) refused.push({ file: nameOf(file), table: table.name, rows, deviations });
        if (part !== null) {
          parts = [...parts, part];
          written.push(part);
        }
        reports.set(file, reportOf(file, taken, rows, check));
      }
      partsOf.set(table.name, parts);
      tables.push(summary.close([...droppedOf(own, check), ...personalOf(table, book)]));
    }
    if (refused.length > 0) return { kind: 'data_error', files: refused, proposals: [] };
    const manifest = manifestOf(text, contract, numbered, partsOf);
    if (previous !== null && writeManifest(manifest) === writeManifest(previous)) return { kind: 'unchanged' };
    // Different files may bring the same rows to a table without a key, and thus the same part.
    for (const [path, from] of new Map(written.map(({ part, path }) => [part.path, path])))
      await rename(from, join(input.out, path));
    return {
      kind: 'accepted',
      manifest,
      identifiers: book,
      newParts: written.map(({ part }) => part),
      report: { files: input.files.map((file) => reports.get(file) ?? presentReport(file)), tables },
    };
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** Why a file cannot be ingested in the requested mode, whatever its rows are. */
function misuseOf(file: IncomingFile, contract: Contract): FileDeviations[] {
  const { table: name, mode } = file;
  const say = (deviation: Deviation): FileDeviations[] => [
    { file: nameOf(file), table: name, rows: 0, deviations: [deviation] },
  ];
  const table = contract.tables.find((other) => other.name === name);
  if (table === undefined) return say(unknownTable(name, contract));
  if (mode === 'upsert' && table.key.length === 0)
    return say(wholeFile('no_key', `${name} has no key, so its rows cannot be told apart: append or replace them`));
  const reserved = table.columns.find((column) => isReserved(column.name))?.name;
  if (reserved === undefined) return [];
  const message = `${name}.${reserved}: the name is reserved; rename the column in the contract`;
  return say(wholeFile('reserved_name', message, reserved));
}

/** The deviation of a file for a table that is not in the contract. */
export function unknownTable(name: string, { tables }: Contract): Deviation {
  const known = tables.map((table) => table.name).join(', ');
  return wholeFile('unknown_table', `the contract has no table ${name}; it has ${known}`);
}

/** Whether an earlier file of the call brings the same content to the same table, so that this one adds nothing. */
function isRepeated({ table, mode, sha256 }: IncomingFile, earlier: readonly IncomingFile[]): boolean {
  if (mode === 'upsert') return false;
  return earlier.some((other) => other.table === table && other.mode === mode && other.sha256 === sha256);
}

/**
 * Whether the state already holds the content of a file, judged by the file's hash alone. The same content is never
 * appended twice. An upsert or a replacement must be the last change of the table, under the same contract of the
 * table.
 */
function isPresent(file: IncomingFile, { previous, contract, files }: IngestInput): boolean {
  const parts = previous!.tables.find(({ name }) => name === file.table)?.parts ?? [];
  const others = files.filter(({ table }) => table === file.table);
  if (file.mode === 'append')
    return others.every(({ mode }) => mode === 'append') && parts.some(({ source }) => source === file.sha256);
  const tableIn = ({ tables }: Contract) => JSON.stringify(tables.find(({ name }) => name === file.table));
  if (tableIn(parseStoredContract(previous!.contract, 'the contract of the snapshot')) !== tableIn(contract))
    return false;
  const last = parts.slice(-others.length);
  return (
    (file.mode === 'upsert' || parts.length === others.length) &&
    last.length === others.length &&
    last.every(({ source, mode }, i) => source === others[i].sha256 && mode === others[i].mode)
  );
}

async function locateParts({ previous, contract, pathOf }: IngestInput): Promise<Map<string, readonly Located[]>> {
  const located = new Map<string, readonly Located[]>();
  for (const { name } of contract.tables) {
    const parts = previous?.tables.find((table) => table.name === name)?.parts ?? [];
    located.set(name, await Promise.all(parts.map(async (part) => ({ part, path: await pathOf(part) }))));
  }
  return located;
}

type Taken = {
  readonly rows: number;
  readonly added: number;
  readonly changed: number;
  readonly identical: number;
  readonly part: Located | null;
  readonly deviations: readonly Deviation[];
};

/** Writes the rows of a file that `parts` lack as one more part. */
async function takeFile(
  input: IngestInput,
  book: IdentifierBook | null,
  table: TableContract,
  file: IncomingFile,
  parts: readonly Located[],
  staged: string,
  summary: TableSummary,
): Promise<Taken> {
  const { now, signal } = input;
  input.progress?.(`taking ${nameOf(file)} into ${table.name}`);
  const layout = layoutOf(input.contract, table, book !== null);
  const readFile = async function* () {
    for await (const chunk of readChunks(file.path, layout.read, { nameOf: () => nameOf(file) })) {
      signal?.throwIfAborted();
      yield book === null ? chunk : { ...chunk, rows: translate(chunk.rows, layout, book) };
    }
  };
  const tell = (column: string, value: KeyValue | null) =>
    String((layout.numbered.has(column) ? book!.entryOf(value as number)?.identifier : value) ?? '');
  const comparison = await compareWithParts(readFile, table, layout.kept, parts, signal);
  const mayChange = file.mode === 'upsert' && table.knownAt === undefined;
  const counts = { changed: comparison.changed, identical: comparison.identical };
  if (comparison.changed > 0 && !mayChange)
    return {
      rows: 0,
      added: 0,
      ...counts,
      part: null,
      deviations: await changedRows(readFile, table, comparison, tell),
    };
  const writer = openPartWriter(staged, table, layout.kept, comparison.changed > 0 ? now : null);
  let rows = 0;
  let added = 0;
  try {
    for await (const chunk of readFile()) {
      const standings = comparison.standings(chunk.rows);
      const kept = Array.from(standings.keys()).filter((row) => standings[row] !== identical);
      const taken = kept.length === chunk.rows.rows ? chunk.rows : pickRows(chunk.rows, kept);
      await writer.write(
        taken,
        standings.filter((standing) => standing !== identical),
      );
      summary.add(taken, ownTime(table, taken));
      rows += chunk.rows.rows;
      added += kept.length;
    }
    return { rows, added, ...counts, part: await writer.close(file, comparison.changed), deviations: [] };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

function reportOf(file: IncomingFile, taken: Taken, rows: number, { warnings, notes }: DeliveryCheck): FileReport {
  const { added, changed, identical: same } = taken;
  const counts = { rows, added, changed, identical: same, rejected: rows - taken.rows };
  const noticed = { warnings: warnings.get(file)!, notes: notes.get(file)! };
  return { file: nameOf(file), table: file.table, mode: file.mode, ...counts, ...noticed };
}

/** The report of a file that was in the state already: its rows were not read again. */
function presentReport(file: IncomingFile): FileReport {
  const none = { rows: 0, added: 0, changed: 0, identical: 0, rejected: 0, warnings: [], notes: [] };
  return { file: nameOf(file), table: file.table, mode: file.mode, ...none };
}

/** The columns of one table's files that were not stored. */
function droppedOf(files: readonly IncomingFile[], { warnings }: DeliveryCheck): TableReport['dropped'] {
  const found = files.flatMap((file) => warnings.get(file)!).filter(({ rule }) => rule === 'unknown_column');
  return [...new Set(found.map(({ column }) => column!))].map((column) => ({ column, reason: 'unknown' }));
}

function personalOf(table: TableContract, book: IdentifierBook | null): TableReport['dropped'] {
  return book === null ? [] : personalColumns(table).map((column) => ({ column, reason: 'personal' }));
}

/**
 * The columns that hold numbers under the contract, as `table.column`; undefined when identifiers are stored as they
 * come.
 */
function numberedOf({ contract, identifiers }: IngestInput): string[] | undefined {
  if (identifiers === undefined) return undefined;
  return contract.tables.flatMap((table) =>
    [...numberedColumns(contract, table).keys()].map((column) => `${table.name}.${column}`),
  );
}

/**
 * The columns of a table that hold numbers, and the kind of entity of each: the same identifier has another number as a
 * person than as a company.
 */
function numbersIn(contract: Contract, name: string): string {
  const table = contract.tables.find((other) => other.name === name);
  return table === undefined ? '' : JSON.stringify([...numberedColumns(contract, table)].sort());
}

/**
 * Refuses a contract that changes which columns hold numbers. Parts are never rewritten, so their columns stay as they
 * are.
 */
function refuseOtherNumbers(previous: Manifest | null, contract: Contract, files: readonly IncomingFile[]): void {
  const isReplaced = (name: string) => files.some(({ table, mode }) => table === name && mode === 'replace');
  if (previous?.numbered === undefined) return;
  const before = parseStoredContract(previous.contract, 'the contract of the snapshot');
  const changed = previous.tables.filter(({ name }) => numbersIn(before, name) !== numbersIn(contract, name));
  if (changed.every(({ name }) => isReplaced(name))) return;
  const tables = changed.map(({ name }) => name).join(', ');
  throw new Failure(
    'invalid',
    `the contract now says otherwise by which columns of ${tables} companies, people or assets are known (entityKind): send all rows of ${tables} with mode replace, in one ingestion`,
  );
}

function manifestOf(
  text: string,
  contract: Contract,
  numbered: readonly string[] | undefined,
  partsOf: ReadonlyMap<string, readonly Located[]>,
): Manifest {
  const tables = contract.tables.flatMap(({ name }) => {
    const parts = partsOf.get(name)!.map(({ part }) => part);
    return parts.length === 0 ? [] : [{ name, parts }];
  });
  return { format: 1, contract: text, ...(numbered && { numbered }), tables };
}
