import { Failure } from '../../lib/failure.ts';
import { type CheckOptions, type CheckReport, checkFile, readKeys } from '../contract/check.ts';
import { type Contract, microsecondsPerDay, type TableContract } from '../contract/contract.ts';
import { type Deviation, unreadableFile } from '../contract/deviation.ts';
import { type Change, diffContracts } from '../contract/diff.ts';
import type { Notice } from '../contract/notices.ts';
import { nextVersion } from '../contract/propose-version.ts';
import { readValues, type Values } from '../contract/renames.ts';
import { type KeysOf, plainText } from '../contract/rules.ts';
import { weigh } from '../contract/weigh.ts';
import { type IncomingFile, nameOf } from './files.ts';
import type { Identifiers } from './identifiers.ts';
import { numberedColumns } from './layout.ts';
import type { Located } from './manifest.ts';

export type FileDeviations = {
  readonly file: string;
  readonly table: string;
  readonly rows: number;
  readonly deviations: readonly Deviation[];
};

/** The contract whose structure one file satisfies, with its changes. */
export type FileProposal = {
  readonly file: string;
  readonly table: string;
  readonly contract: Contract;
  readonly changes: readonly Change[];
};

/** Files have throughout another structure than the contract. `proposed` fits all of them. */
export type StructureRefusal = {
  readonly kind: 'contract_version';
  readonly proposed: { readonly contract: Contract; readonly changes: readonly Change[] };
  readonly proposals: readonly FileProposal[];
  readonly deviations: readonly FileDeviations[];
};

/** Files have rows that break the contract, or a structure for which no contract can be proposed. */
export type DataRefusal = {
  readonly kind: 'data_error';
  readonly files: readonly FileDeviations[];
  /** For those of the files that also have another structure. */
  readonly proposals: readonly FileProposal[];
};

export type DeliveryCheck = {
  readonly refusal: StructureRefusal | DataRefusal | null;
  /** Rows of each file that could be read. */
  readonly rows: ReadonlyMap<IncomingFile, number>;
  /** What was noticed in each file and does not stop it. */
  readonly warnings: ReadonlyMap<IncomingFile, readonly Deviation[]>;
  readonly notes: ReadonlyMap<IncomingFile, readonly Notice[]>;
};

export type DeliveryOptions = {
  readonly contract: Contract;
  readonly files: readonly IncomingFile[];
  /** Microseconds. */
  readonly now: number;
  readonly ignoreUnknownColumns?: boolean;
  /** The dictionary whose numbers the parts contain. */
  readonly identifiers?: Identifiers;
  readonly progress?: (line: string) => void;
  readonly signal?: AbortSignal;
};

/**
 * Checks the files of one call against the contract. References may lead to stored rows (`partsOf`, by table) or to
 * rows that come with the call. What refuses a file is said by `weigh`.
 */
export async function checkDelivery(
  options: DeliveryOptions,
  partsOf: ReadonlyMap<string, readonly Located[]>,
): Promise<DeliveryCheck> {
  const { contract, files, signal } = options;
  const keysOf = keysFrom(options, partsOf);
  const rows = new Map<IncomingFile, number>();
  const warnings = new Map<IncomingFile, readonly Deviation[]>();
  const notes = new Map<IncomingFile, readonly Notice[]>();
  const refused: FileDeviations[] = [];
  const proposals: FileProposal[] = [];
  let proposed = contract;
  let isDataError = false;
  for (const file of files) {
    signal?.throwIfAborted();
    options.progress?.(`checking ${nameOf(file)}`);
    const report = await checkOne(file, options, { keysOf, earlierOf: earlierRows(file.table, options, partsOf) });
    const table = contract.tables.find(({ name }) => name === file.table)!;
    const isAgain = file.taken !== undefined;
    const { mild, grave } = weigh(report, table, {
      ignoresUnknown: options.ignoreUnknownColumns === true || isAgain,
      ignoresMissing: isAgain,
    });
    rows.set(file, report.rows);
    warnings.set(file, mild);
    notes.set(file, report.notes);
    if (grave.length === 0) continue;
    refused.push({ file: nameOf(file), table: file.table, rows: report.rows, deviations: grave });
    // The contract is what a file that is read again must do with, and not the other way round.
    const proposal = isAgain ? null : report.proposal;
    if (grave.some(({ kind }) => kind === 'data') || proposal === null) isDataError = true;
    if (proposal === null || grave.every(({ kind }) => kind === 'data')) continue;
    proposals.push({ file: nameOf(file), table: file.table, ...proposal });
    proposed = adopt(proposed, proposal.contract, file.table);
  }
  if (refused.length === 0) return { refusal: null, rows, warnings, notes };
  if (isDataError) return { refusal: { kind: 'data_error', files: refused, proposals }, rows, warnings, notes };
  const changes = diffContracts(contract, proposed);
  const version = nextVersion(
    contract.version,
    changes.some(({ breaking }) => breaking),
  );
  const refusal = {
    kind: 'contract_version' as const,
    proposed: { contract: { ...proposed, version }, changes },
    proposals,
    deviations: refused,
  };
  return { refusal, rows, warnings, notes };
}

/** Checks one file. A file that cannot be read at all gets one deviation. */
async function checkOne(
  file: IncomingFile,
  { contract, now }: DeliveryOptions,
  known: Pick<CheckOptions, 'keysOf' | 'earlierOf'>,
): Promise<CheckReport> {
  const table = contract.tables.find(({ name }) => name === file.table)!;
  try {
    // A day may already have begun in another time zone before it begins in UTC.
    return await checkFile(file.path, table, contract, { ...known, now: now + microsecondsPerDay, name: nameOf(file) });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid') throw error;
    return {
      table: table.name,
      file: nameOf(file),
      rows: 0,
      deviations: [unreadableFile(error)],
      notes: [],
      proposal: null,
    };
  }
}

/** Replaces one table of `contract` by its form in the contract `from`. */
function adopt(contract: Contract, from: Contract, name: string): Contract {
  const table = from.tables.find((other) => other.name === name)!;
  return { ...contract, tables: contract.tables.map((other) => (other.name === name ? table : other)) };
}

/** Gives the keys of each table as it would be after the call, each read once; null for a table without rows. */
function keysFrom(
  { contract, files, identifiers }: DeliveryOptions,
  partsOf: ReadonlyMap<string, readonly Located[]>,
): KeysOf {
  const known = new Map<string, Promise<ReadonlySet<string> | null>>();
  const read = async (name: string): Promise<ReadonlySet<string> | null> => {
    const table = contract.tables.find((other) => other.name === name)!;
    const own = files.filter((file) => file.table === name);
    const kept = own.some(({ mode }) => mode === 'replace') ? [] : (partsOf.get(name) ?? []);
    const keys = new Set<string>();
    for (const { path } of own) for (const key of await keysIn(path, table)) keys.add(key);
    const isNumbered = identifiers !== undefined && numberedColumns(contract, table).has(table.key[0]);
    for (const { path } of kept) {
      for (const key of await keysIn(path, table)) {
        const name = isNumbered ? identifiers.entryOf(Number(key))?.identifier : key;
        if (name !== undefined) keys.add(name);
      }
    }
    return keys.size === 0 ? null : keys;
  };
  return (name) => {
    let keys = known.get(name);
    if (keys === undefined) known.set(name, (keys = read(name)));
    return keys;
  };
}

/** Gives rows of the newest parts of a table, with identifiers as files have them; null where it has none. */
function earlierRows(
  name: string,
  { contract, identifiers }: DeliveryOptions,
  partsOf: ReadonlyMap<string, readonly Located[]>,
): (columns: readonly string[]) => Promise<Values | null> {
  const table = contract.tables.find((other) => other.name === name)!;
  const numbered = identifiers === undefined ? new Map() : numberedColumns(contract, table);
  return async (wanted) => {
    const newest = partsOf.get(name)?.at(-1);
    if (newest === undefined) return null;
    const kept = table.columns.filter((column) => wanted.includes(column.name));
    return readValues(newest.path, kept, (column, text) =>
      numbered.has(column.name) ? (identifiers!.entryOf(Number(text))?.identifier ?? null) : plainText(column, text),
    );
  };
}

/** The keys of a file; none when it cannot be read, which the check of that file reports. */
async function keysIn(path: string, table: TableContract): Promise<Iterable<string>> {
  try {
    return await readKeys([path], table);
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid') return [];
    throw error;
  }
}
