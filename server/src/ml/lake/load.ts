import type { Contract } from '../contract/contract.ts';
import { knownAtColumn } from '../contract/reserved.ts';
import { type LoadReport, readTables } from '../graph/load.ts';
import { withIdentifiers } from '../graph/named.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { contractOf } from './contract-of.ts';
import type { Identifiers } from './identifiers.ts';
import { layoutOf } from './layout.ts';
import type { Manifest, TablePart } from './manifest.ts';

export type SnapshotOptions = {
  readonly identifiers?: Identifiers;
  /** The name of a file that was taken in, by its SHA-256; undefined for one that came before and is not known. */
  readonly sourceName?: (sha256: string) => string | undefined;
};

/**
 * Reads the tables of a snapshot, like `loadTables` reads a folder with the same rows. `contract` is the one they were
 * read under: that of the snapshot, with the column that dates changed rows and without the columns that are not
 * stored. A table without parts has no rows. Tables that hold numbers are looked up by identifier when `identifiers`
 * are given, else by number. Throws Failure 'invalid' or 'not_found' when a part cannot be read, or when the event time
 * of a table is no date.
 */
export async function loadSnapshot(
  manifest: Manifest,
  pathOf: (part: TablePart) => string | Promise<string>,
  progress: (line: string) => void = () => {},
  { identifiers, sourceName }: SnapshotOptions = {},
): Promise<{ tables: Tables; contract: Contract; report: LoadReport }> {
  const contract = contractOf(manifest);
  const isNumbered = manifest.numbered !== undefined;
  const files = new Map<string, string[]>();
  const sources = new Map<string, string>();
  for (const { name, parts } of manifest.tables) {
    const paths = await Promise.all(parts.map(async (part) => pathOf(part)));
    files.set(name, paths);
    for (const [at, { source }] of parts.entries()) sources.set(paths[at], source);
  }
  /** What the labels of parts say, for other words of it. */
  const labels = new Map<string, { readonly table: string; readonly source?: string }>();
  const { tables, report } = await readTables(contract, (name) => files.get(name) ?? [], {
    progress,
    now: Number.POSITIVE_INFINITY,
    isTolerant: true,
    // A part is named by its hash, which nobody has sent.
    nameOf: (table, path) => {
      const source = sourceName?.(sources.get(path)!);
      const label = `table ${table}, rows of ${source ?? 'a file that came in before'}`;
      labels.set(label, { table, ...(source !== undefined && { source }) });
      return label;
    },
    requestsOf: (table) => layoutOf(contract, table, isNumbered).kept,
  });
  // Parts without changed rows lack the column that dates them, which is no cause for a warning.
  const warnings = report.warnings
    .filter((notice) => notice.code !== 'column_absent' || notice.column !== knownAtColumn)
    .map((notice) => ('file' in notice ? { ...notice, ...labels.get(notice.file) } : notice));
  const marked = isNumbered ? markNumbers(tables, contract) : tables;
  return {
    tables: identifiers === undefined ? marked : withIdentifiers(marked, identifiers),
    contract,
    report: { ...report, warnings },
  };
}

function markNumbers(tables: Tables, contract: Contract): Tables {
  return new Map(
    [...tables].map(([name, table]): [string, Table] => {
      const columns = new Set(layoutOf(contract, table.contract, true).numbered.keys());
      return [name, columns.size === 0 ? table : { ...table, numbers: { columns } }];
    }),
  );
}
