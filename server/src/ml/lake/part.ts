import { randomUUID } from 'node:crypto';
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Column, Rows } from '../../lib/files/column.ts';
import { hashFile } from '../../lib/files/hash.ts';
import { openWriter } from '../../lib/files/write.ts';
import type { WriteColumn, Writer } from '../../lib/files/writer.ts';
import type { TableContract } from '../contract/contract.ts';
import { knownAtColumn } from '../contract/reserved.ts';
import { changed } from './compare.ts';
import type { IncomingFile } from './files.ts';
import type { Located } from './manifest.ts';

export type PartWriter = {
  /** Writes rows. `standings` says which are newer versions of stored rows. */
  write(rows: Rows, standings: Uint8Array): Promise<void>;
  /** Finishes the file and names it by the hash of its content; null when no row was written. */
  close(file: IncomingFile, changedRows: number): Promise<Located | null>;
  abort(): Promise<void>;
};

/**
 * Opens a new part in `folder`, of a file taken in at the moment `taken` (microseconds). With `isDated` the part has
 * the column that dates its changed rows.
 */
export function openPartWriter(
  folder: string,
  table: TableContract,
  columns: readonly WriteColumn[],
  { taken, isDated }: { readonly taken: number; readonly isDated: boolean },
): PartWriter {
  const path = join(folder, `${randomUUID()}.parquet`);
  const written = isDated ? [...columns, { name: knownAtColumn, type: 'timestamp' as const }] : columns;
  let writer: Writer | null = null;
  let rows = 0;
  let from = Number.POSITIVE_INFINITY;
  let until = Number.NEGATIVE_INFINITY;
  return {
    async write(added, standings) {
      if (added.rows === 0) return;
      writer ??= await openWriter(path, 'parquet', written);
      await writer.write(isDated ? dated(added, standings, taken) : added);
      rows += added.rows;
      for (const moment of ownTime(table, added) ?? []) {
        if (moment < from) from = moment;
        if (moment > until) until = moment;
      }
    },
    async close({ mode, sha256: source }, changedRows) {
      if (writer === null) return null;
      await writer.close();
      const sha256 = hashFile(path);
      const named = `${sha256}.parquet`;
      await rename(path, join(folder, named));
      const { size } = await stat(join(folder, named));
      const range = { from: Number.isFinite(from) ? from : null, until: Number.isFinite(until) ? until : null };
      return {
        part: { path: named, sha256, bytes: size, rows, mode, changed: changedRows, ...range, source, taken },
        path: join(folder, named),
      };
    },
    async abort() {
      await writer?.abort();
    },
  };
}

/** The values of the table's own event time column; undefined when it has none. */
export function ownTime({ time }: TableContract, rows: Rows): Float64Array | undefined {
  const column: Column | undefined = time && 'column' in time ? rows.columns.get(time.column) : undefined;
  return column?.kind === 'time' ? column.values : undefined;
}

function dated(rows: Rows, standings: Uint8Array, knownAt: number): Rows {
  const values = Float64Array.from(standings, (standing) => (standing === changed ? knownAt : Number.NaN));
  return { rows: rows.rows, columns: new Map([...rows.columns, [knownAtColumn, { kind: 'time', values }]]) };
}
