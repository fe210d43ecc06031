import { createHash } from 'node:crypto';
import { Failure } from '../../lib/failure.ts';

/** How a file changes its table: adds rows, adds rows and new versions of rows, or replaces all rows. */
export type Mode = 'append' | 'upsert' | 'replace';

/** The state of all tables at one moment. Immutable plain JSON, identified by `snapshotIdOf`. */
export type Manifest = {
  readonly format: 1;
  /** The contract of the stored rows, as YAML. */
  readonly contract: string;
  /** The columns, as `table.column`, that hold dictionary numbers; absent when identifiers are stored as they come. */
  readonly numbered?: readonly string[];
  /** Tables that have parts, in the contract's order. Rows of earlier parts come first. */
  readonly tables: readonly { readonly name: string; readonly parts: readonly TablePart[] }[];
};

/** An immutable Parquet file with rows of one table. */
export type TablePart = {
  /** `<sha256>.parquet`, relative to the folder of the parts. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
  readonly mode: Mode;
  /** Number of rows that are newer versions of earlier rows. Above 0 the part may have the column `_known_at`. */
  readonly changed: number;
  /** The range of the table's own event time column, microseconds; null when it has none or no row is dated. */
  readonly from: number | null;
  readonly until: number | null;
  /** SHA-256 of the file that the rows came from. */
  readonly source: string;
  /**
   * The moment of the ingestion that brought the file, microseconds: its changed rows are known from then on, also when
   * the file is read again. Parts of earlier versions of this program lack it.
   */
  readonly taken?: number;
};

/** A part and the present path of its file. */
export type Located = { readonly part: TablePart; readonly path: string };

const formatVersion = 1;

/** The number of rows of a table, the versions of a row counted once. */
export function liveRows(parts: readonly Located[]): number {
  return parts.reduce((sum, { part }) => sum + part.rows - part.changed, 0);
}

/** The text of a manifest. The same manifest gives the same bytes. */
export function writeManifest({ contract, tables, numbered }: Manifest): string {
  const plain = {
    format: formatVersion,
    contract,
    ...(numbered && { numbered }),
    tables: tables.map(({ name, parts }) => ({
      name,
      parts: parts.map(({ path, sha256, bytes, rows, mode, changed, from, until, source, taken }) => ({
        path,
        sha256,
        bytes,
        rows,
        mode,
        changed,
        from,
        until,
        source,
        ...(taken !== undefined && { taken }),
      })),
    })),
  };
  return `${JSON.stringify(plain, null, 1)}\n`;
}

/** Reads what `writeManifest` wrote. Throws Failure 'invalid' for another format and for text that is no manifest. */
export function readManifest(text: string): Manifest {
  let manifest: { format?: unknown; contract?: unknown; tables?: unknown } | null = null;
  try {
    manifest = JSON.parse(text);
  } catch {
    // Reported below, with other mistakes.
  }
  if (typeof manifest?.contract !== 'string' || !Array.isArray(manifest.tables))
    throw new Failure('invalid', 'this is no snapshot manifest');
  if (manifest.format !== formatVersion)
    throw new Failure('invalid', `the manifest has format ${manifest.format}; this program reads ${formatVersion}`);
  return manifest as Manifest;
}

/** The id of a snapshot: SHA-256 of its manifest, in hexadecimal. */
export function snapshotIdOf(manifest: Manifest): string {
  return createHash('sha256').update(writeManifest(manifest)).digest('hex');
}
