import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { didYouMean } from '../../lib/nearest-word.ts';
import type { Contract, TableContract } from '../contract/contract.ts';
import { type Deviation, wholeFile } from '../contract/deviation.ts';
import type { Notice } from '../contract/notices.ts';
import { parseStoredContract } from '../contract/parse.ts';
import { isReserved } from '../contract/reserved.ts';
import { writeContract } from '../contract/write.ts';
import { changesOf, columnsGone, goneColumn, lostColumns, type TableChanges, type Took } from './changes.ts';
import {
  checkDelivery,
  type DataRefusal,
  type DeliveryCheck,
  type FileDeviations,
  type StructureRefusal,
} from './delivery.ts';
import { type IncomingFile, nameOf } from './files.ts';
import { growIdentifiers, type IdentifierBook, type Identifiers } from './identifiers.ts';
import { numberedColumns, personalColumns } from './layout.ts';
import { type Located, liveRows, type Manifest, type Mode, type TablePart, writeManifest } from './manifest.ts';
import { type TableReport, TableSummary } from './report.ts';
import { type Original, rereadFiles, staleOf, without } from './reread.ts';
import { type Taken, takeFile } from './take-file.ts';

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
  /** The file that the rows of a part came from, with the moment it was taken in; null where it is gone. */
  readonly originalOf?: (part: TablePart) => Original | null;
  /**
   * The present dictionary. With it, identifiers of companies, people and assets are stored as its numbers, and
   * personal data are not stored at all. Without it rows are stored as they come. All files of one state are stored the
   * same way.
   */
  readonly identifiers?: Identifiers;
  /** Whether columns unknown to the contract are left out with a note, instead of leading to a new contract. */
  readonly ignoreUnknownColumns?: boolean;
  /**
   * Whether it is only asked what would refuse the files. Then tables that the contract stores otherwise need no files
   * of before, and their rows are compared with nothing.
   */
  readonly isTrial?: boolean;
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
  | { readonly kind: 'unchanged'; readonly report: Pick<DeliveryReport, 'files' | 'changes'> }
  | StructureRefusal
  | DataRefusal;

export type DeliveryReport = {
  readonly files: readonly FileReport[];
  /** Files of earlier calls that were read again, because the contract stores their tables otherwise now. */
  readonly reread: readonly FileReport[];
  /** What the files did to their tables. */
  readonly changes: readonly TableChanges[];
  /** Reports on the rows that were added, by table. */
  readonly tables: readonly TableReport[];
};

export type FileReport = {
  readonly file: string;
  readonly table: string;
  readonly mode: Mode;
  /** Rows read: those added, changed, identical and rejected. */
  readonly rows: number;
  /** Rows whose key the table did not have before; of a table without a key, all rows. */
  readonly added: number;
  /** Rows that the table had with other values: newer versions by an upsert, in their place by a replacement. */
  readonly changed: number;
  /** Rows that the table had with the same values. */
  readonly identical: number;
  /** Rows without a key, left out. */
  readonly rejected: number;
  /** What was noticed and does not stop the file. */
  readonly warnings: readonly Deviation[];
  /** What was noticed about the file as a whole: its format, and names that differ only in case. */
  readonly notes: readonly Notice[];
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
 * Where the contract stores a table otherwise than the one before (`staleTables`), the files of its parts are read
 * again first, in their order and modes and as of the moments they were taken in, unless the call replaces the table.
 * They may lack columns that the contract has gained since, and have those that it has lost.
 *
 * A reference that leads nowhere is a warning, unless nearly all rows of a file have one (`checkDelivery`). The same
 * input gives the same bytes. Nothing new is left in `out` unless the files were accepted. Throws Failure 'conflict',
 * reason 'data_behind_contract', where a file is gone that must be read again; and the reason of `signal` when it is
 * aborted.
 */
export async function ingestFiles(input: IngestInput): Promise<Ingested> {
  const { contract } = input;
  const stale = staleOf(input);
  const again = input.isTrial ? [] : rereadFiles(input, stale);
  const previous = input.previous && without(input.previous, stale);
  const sent = input.files.filter((file, at) => !isRepeated(file, [...again, ...input.files.slice(0, at)]));
  const misused = [...again, ...sent].flatMap((file) => misuseOf(file, contract));
  if (misused.length > 0) return { kind: 'data_error', files: misused, proposals: [] };
  const text = writeContract(contract);
  const isNew = (file: IncomingFile) => previous === null || !isPresent(file, { ...input, previous, files: sent });
  const fresh = [...again, ...sent.filter(isNew)];
  if (fresh.length === 0 && input.previous?.contract === text)
    return { kind: 'unchanged', report: { files: input.files.map(presentReport), changes: [] } };

  const before = await locateParts(input, input.previous);
  const partsOf = await locateParts(input, previous);
  const numbered = numberedOf(input);
  // In a trial the keys of rows that would be read again are those of before.
  const check = await checkDelivery({ ...input, files: fresh }, input.isTrial ? before : partsOf);
  if (check.refusal !== null) return check.refusal;

  const book = input.identifiers === undefined ? null : growIdentifiers(input.identifiers);
  const lostOf = lostColumns(input.previous, contract);
  const staged = join(input.out, `.${randomUUID()}`);
  await mkdir(staged, { recursive: true });
  try {
    const tables: TableReport[] = [];
    const reports = new Map<IncomingFile, FileReport>();
    const refused: FileDeviations[] = [];
    const written: Located[] = [];
    const changes: TableChanges[] = [];
    for (const table of contract.tables) {
      const own = fresh.filter((file) => file.table === table.name);
      const lost = before.get(table.name)!.length === 0 ? [] : lostOf(table.name);
      if (own.every((file) => again.includes(file)) && lost.length > 0)
        changes.push(columnsGone(table, lost, liveRows(before.get(table.name)!)));
      if (own.length === 0) continue;
      const isStale = stale.some((other) => other.table === table.name);
      const earlier = isStale ? null : before.get(table.name)!;
      let parts = own.some(({ mode }) => mode === 'replace') ? [] : partsOf.get(table.name)!;
      const summary = new TableSummary(table, book === null ? [] : numberedColumns(contract, table).keys());
      const took: Took[] = [];
      for (const file of own) {
        const taken = await takeFile(input, book, table, file, { earlier, parts }, staged, summary);
        const { part, deviations } = taken;
        const rows = check.rows.get(file)!;
        if (deviations.length > 0) refused.push({ file: nameOf(file), table: table.name, rows, deviations });
        if (part !== null) {
          parts = [...parts, part];
          written.push(part);
        }
        reports.set(file, reportOf(file, taken, rows, check));
        if (!again.includes(file)) took.push({ ...taken, mode: file.mode });
      }
      partsOf.set(table.name, parts);
      if (took.length > 0) {
        const made = changesOf(table, took, before.get(table.name)!, parts, isStale);
        changes.push({ ...made, notes: [...made.notes, ...lost.map((column) => goneColumn(table.name, column))] });
      }
      tables.push(summary.close([...droppedOf(own, check), ...personalOf(table, book)]));
    }
    if (refused.length > 0) return { kind: 'data_error', files: refused, proposals: [] };
    const manifest = manifestOf(text, contract, numbered, partsOf);
    const told = input.files.map((file) => reports.get(file) ?? presentReport(file));
    if (input.previous !== null && writeManifest(manifest) === writeManifest(input.previous))
      return { kind: 'unchanged', report: { files: told, changes } };
    // Different files may bring the same rows to a table without a key, and thus the same part.
    for (const [path, from] of new Map(written.map(({ part, path }) => [part.path, path])))
      await rename(from, join(input.out, path));
    return {
      kind: 'accepted',
      manifest,
      identifiers: book,
      newParts: written.map(({ part }) => part),
      report: { files: told, reread: again.map((file) => reports.get(file)!), changes, tables },
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
    return say(
      wholeFile('no_key', `${name} has no key, so its rows cannot be told apart: append or replace them`, null, {
        table: name,
      }),
    );
  const reserved = table.columns.find((column) => isReserved(column.name))?.name;
  if (reserved === undefined) return [];
  const message = `${name}.${reserved}: the name is reserved; rename the column in the contract`;
  return say(wholeFile('reserved_name', message, reserved, { table: name }));
}

/** The deviation of a file for a table that is not in the contract. */
export function unknownTable(name: string, { tables }: Contract): Deviation {
  const known = tables.map((table) => table.name);
  const meant = didYouMean(name, known);
  const message = `the contract has no table ${name}; it has ${known.join(', ')}${meant}`;
  return wholeFile('unknown_table', message, null, { table: name, tables: known });
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

async function locateParts(
  { contract, pathOf }: IngestInput,
  previous: Manifest | null,
): Promise<Map<string, readonly Located[]>> {
  const located = new Map<string, readonly Located[]>();
  for (const { name } of contract.tables) {
    const parts = previous?.tables.find((table) => table.name === name)?.parts ?? [];
    located.set(name, await Promise.all(parts.map(async (part) => ({ part, path: await pathOf(part) }))));
  }
  return located;
}

function reportOf(file: IncomingFile, taken: Taken, rows: number, { warnings, notes }: DeliveryCheck): FileReport {
  const { added, changed, identical: same } = taken;
  const counts = { rows, added, changed, identical: same, rejected: rows - taken.rows };
  const noticed = { warnings: warnings.get(file)!, notes: notes.get(file)! };
  return { file: nameOf(file), table: file.table, mode: file.mode, ...counts, ...noticed };
}

/** The report of a file that was in the state already: its rows were not read again. */
function presentReport(file: IncomingFile): FileReport {
  const none = { rows: 0, added: 0, changed: 0, identical: 0, rejected: 0, warnings: [] };
  const notes: Notice[] = [{ code: 'present_file', file: nameOf(file) }];
  return { file: nameOf(file), table: file.table, mode: file.mode, ...none, notes };
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
