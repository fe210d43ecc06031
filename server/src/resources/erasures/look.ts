import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { ColumnContract } from '../../ml/contract/contract.ts';
import { contractOf } from '../../ml/lake/manifest.ts';
import { currentIdentifiers, currentSnapshot, selectManifests } from '../../serving/snapshot.ts';
import type { App } from '../app.ts';
import { keptResults } from '../batches/erase.ts';
import { endingOf } from '../files/ending.ts';
import { uploadedFiles } from '../files/erase.ts';
import type { FileRow } from '../files/file.ts';
import { partKey } from '../ingestions/storage-key.ts';
import { labelFiles } from '../tasks/label-files.ts';
import type { lookFor } from './compute.ts';

/** Everything that a workspace stores at one moment and that may contain a name. */
export type Inventory = {
  /** The storage key of the dictionary of names; null before the first ingestion. */
  readonly identifiersKey: string | null;
  readonly files: readonly KeptFile[];
  readonly results: readonly (StoredPiece & { readonly batchId: string })[];
  readonly parts: readonly KeptPart[];
};

/** A stored object to search. The bytes under a key never change, so findings remain valid. */
export type StoredPiece = {
  readonly key: string;
  /** The file name ending that tells the format. */
  readonly ending: string;
  readonly columns: readonly string[] | 'all' | 'bytes';
  /** Whether the rows without the identifier are kept. */
  readonly isShortened: boolean;
};

/** A file as a customer uploaded it. */
export type KeptFile = StoredPiece & { readonly row: FileRow };

/** A table part, with all snapshots that contain it. */
export type KeptPart = StoredPiece & {
  readonly table: string;
  /** Whether the current snapshot contains the part. */
  readonly isCurrent: boolean;
  readonly snapshots: readonly string[];
  /**
   * The searched key and reference columns that hold the customer's own numbers. When the dictionary has the
   * identifier, a number in them does not mean it.
   */
  readonly numbers: ReadonlySet<string>;
};

export type Naming = {
  /** The columns that contain the identifier. */
  readonly naming: readonly string[];
  /** A local file with the rows without the identifier; null when none was written. */
  readonly rest: string | null;
};

/** What was found in each piece, by `nameOf` of the piece. */
export type Findings = Map<string, Naming>;

/** How many pieces one task searches. */
const piecesPerTask = 16;

export async function takeInventory(tx: Tx, ctx: Context): Promise<Inventory> {
  const labels = await labelFiles(tx);
  return {
    identifiersKey: await currentIdentifiers(tx, ctx),
    files: (await uploadedFiles(tx)).map((row) => ({
      key: row.storage_key,
      ending: endingOf(row.path, row.content_type),
      columns: 'all',
      isShortened: labels.has(row.id),
      row,
    })),
    results: (await keptResults(tx)).map(({ batchId, key, format }) => ({
      key,
      ending: `.${format}`,
      columns: format === 'errors' ? 'bytes' : 'all',
      isShortened: false,
      batchId,
    })),
    parts: await keptParts(tx, ctx),
  };
}

/** Returns the parts of all snapshots that still have parts, with the columns in which a name itself may appear. */
async function keptParts(tx: Tx, ctx: Context): Promise<KeptPart[]> {
  const current = await currentSnapshot(tx, ctx);
  const parts = new Map<string, KeptPart>();
  for (const { id, manifest } of await selectManifests(tx)) {
    const contract = contractOf(manifest);
    const isNumbered = new Set(manifest.numbered ?? []);
    for (const { name, parts: own } of manifest.tables) {
      const table = contract.tables.find((other) => other.name === name)!;
      const names = new Set([...table.key, ...table.references.map(({ column }) => column)]);
      const isText = ({ type }: ColumnContract) => type === 'string';
      const plain = table.columns.filter((column) => !isNumbered.has(`${name}.${column.name}`));
      const asked = plain.filter((column) => isText(column) || names.has(column.name));
      for (const { path } of own) {
        const known = parts.get(path);
        parts.set(path, {
          key: partKey(ctx, path),
          ending: '.parquet',
          columns: asked.map((column) => column.name),
          isShortened: false,
          table: name,
          isCurrent: id === current?.id || known?.isCurrent === true,
          snapshots: [...(known?.snapshots ?? []), id],
          numbers: new Set(asked.filter((column) => !isText(column)).map((column) => column.name)),
        });
      }
    }
  }
  return [...parts.values()];
}

/** Searches the pieces of an inventory that have no findings yet. */
export async function look(
  app: App,
  inventory: Inventory,
  {
    identifier,
    folder,
    findings,
    signal,
  }: { identifier: string; folder: string; findings: Findings; signal: AbortSignal },
): Promise<void> {
  const unseen = piecesOf(inventory).filter((piece) => !findings.has(nameOf(piece)));
  for (let at = 0; at < unseen.length; at += piecesPerTask) {
    const some = unseen.slice(at, at + piecesPerTask);
    const pieces = [];
    for (const [index, piece] of some.entries()) {
      const place = join(folder, `${findings.size + index}`);
      const path = `${place}${piece.ending}`;
      await symlink(await app.storage.localPath(piece.key), path);
      pieces.push({ path, columns: piece.columns, rest: piece.isShortened ? `${place}.rest` : null });
    }
    const found = await app.compute!.run<typeof lookFor>(
      { name: 'lookFor', input: { identifier, pieces } },
      { signal },
    );
    for (const [index, { naming, hasRest }] of found.entries())
      findings.set(nameOf(some[index]), { naming, rest: hasRest ? pieces[index].rest : null });
  }
}

export function piecesOf({ files, results, parts }: Inventory): StoredPiece[] {
  return [...files, ...results, ...parts];
}

export function nameOf({ key, columns, isShortened }: StoredPiece): string {
  return JSON.stringify([key, columns, isShortened]);
}
