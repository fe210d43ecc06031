import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { wallClock } from '../../lib/time-zone.ts';
import type { TablePart } from '../../ml/lake/manifest.ts';
import { type Delivered, selectDeliveries } from './sql.ts';

/** Where the rows of a part came from. */
export type Source = {
  readonly ingestionId: string;
  readonly fileId: string;
  readonly path: string;
  /** Whether all rows of the file are in the part, so that they have the same places in both. */
  readonly isWhole: boolean;
};

/** A part of a table of a snapshot. */
export type PartOf = { readonly table: string; readonly part: TablePart };

/**
 * Finds the file and the ingestion that brought each part, by what the part says: the hash of the file, and the moment
 * it was taken in. Parts are left out of which no ingestion is found. By the path of the part.
 */
export async function sourcesOf(
  tx: Tx,
  { timeZone }: Context,
  parts: readonly PartOf[],
): Promise<ReadonlyMap<string, Source>> {
  const hashes = [...new Set(parts.map(({ part }) => part.source))];
  const deliveries = hashes.length === 0 ? [] : await selectDeliveries(tx, hashes);
  const found = new Map<string, Source>();
  for (const { table, part } of parts) {
    const able = deliveries.filter((one) => one.table === table && one.sha256 === part.source);
    // A part of before parts said it, and one of before the workspace moved to other clocks, came with the first.
    const isThen = ({ created_at }: Delivered) => wallClock(timeZone, created_at.getTime()) * 1000 === part.taken;
    const one = able.find(isThen) ?? able[0];
    if (one === undefined) continue;
    const isWhole = rowsOf(one, table) === part.rows;
    found.set(part.path, { ingestionId: one.id, fileId: one.file_id, path: one.path, isWhole });
  }
  return found;
}

/** How many rows were read of the file, as the ingestion reported; undefined where it does not say. */
function rowsOf({ files, file_id }: Delivered, table: string): number | undefined {
  const told = (files ?? []).filter((one) => one.file_id === file_id && one.table === table);
  return told.length === 1 ? told[0].rows : undefined;
}
