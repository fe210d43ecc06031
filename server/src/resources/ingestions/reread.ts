import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { wallClock } from '../../lib/time-zone.ts';
import { readManifest, type TablePart } from '../../ml/lake/manifest.ts';
import type { StaleTable } from '../../ml/lake/stale.ts';
import { currentSnapshot, type SnapshotRow } from '../../serving/snapshot.ts';
import type { App } from '../app.ts';
import type { FileRow } from '../files/file.ts';
import { findOriginals } from '../files/originals.ts';
import type { IngestionFile } from './ingestion.ts';
import type { compareStored, Difference } from './parsing.ts';
import { selectTakenAt } from './sql.ts';

/** A part whose rows must be read again, the file that they came from, and the moment it was taken in. */
export type Original = {
  readonly table: string;
  readonly part: TablePart;
  readonly file: FileRow;
  /** Local time of the workspace, microseconds. */
  readonly taken: number;
};

export type Rereading = {
  readonly originals: readonly Original[];
  /** Tables of which a file is gone. */
  readonly gone: readonly string[];
};

/** Finds the files of the parts of stale tables, in the order in which they were taken in. */
export async function planRereading(
  tx: Tx,
  ctx: Context,
  snapshot: SnapshotRow,
  stale: readonly StaleTable[],
): Promise<Rereading> {
  const tables = readManifest(snapshot.manifest).tables.filter(({ name }) => stale.some(({ table }) => table === name));
  const sources = tables.flatMap(({ parts }) => parts.map(({ source }) => source));
  const files = await findOriginals(tx, sources);
  const originals: Original[] = [];
  const gone = new Set<string>();
  for (const { name: table, parts } of tables)
    for (const part of parts) {
      const file = files.get(part.source);
      if (file === undefined) gone.add(table);
      else originals.push({ table, part, file, taken: part.taken ?? (await takenAt(tx, ctx, table, part)) });
    }
  return { originals, gone: [...gone] };
}

/** The moment of the ingestion that brought a part, for parts that do not say it themselves. */
async function takenAt(tx: Tx, { timeZone }: Context, table: string, { path }: TablePart): Promise<number> {
  return wallClock(timeZone, (await selectTakenAt(tx, table, path)).getTime()) * 1000;
}

/** The files as an ingestion lists them. */
export function filesOf(originals: readonly Original[]): IngestionFile[] {
  return originals.map(({ table, part: { mode }, file: { id } }) => ({ file_id: id, table, mode }));
}

/** How the contract of the newest data differs from another; null before there are data. */
export async function differenceFrom(
  app: App,
  ctx: Context,
  other: string,
): Promise<{ readonly snapshot: SnapshotRow; readonly difference: Difference } | null> {
  const snapshot = await tenant(app.db, ctx, (tx) => currentSnapshot(tx, ctx));
  return snapshot ? { snapshot, difference: await compareWith(app, ctx, snapshot, other) } : null;
}

/** How the contract of a snapshot differs from another. */
export function compareWith(app: App, ctx: Context, { manifest }: SnapshotRow, other: string): Promise<Difference> {
  const stored = readManifest(manifest).contract;
  return app.parsing.run<typeof compareStored>({ name: 'compareStored', input: { stored, other } }, ctx.workspaceId);
}
