import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import type { ExpectedHash } from '../../lib/storage/storage.ts';
import { currentIdentifiers, currentSnapshot, selectManifests } from '../../serving/snapshot.ts';
import type { App } from '../app.ts';
import { keptResults } from '../batches/erase.ts';
import { endingOf } from '../files/ending.ts';
import { uploadedFiles } from '../files/erase.ts';
import type { FileRow } from '../files/file.ts';
import { partKey } from '../ingestions/storage-key.ts';
import { leaves } from '../job.ts';
import { labelFiles } from '../tasks/label-files.ts';
import type { lookFor } from './compute.ts';
import type { readSearched } from './parsing.ts';

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
  readonly sha256: ExpectedHash;
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

export async function takeInventory(app: Pick<App, 'parsing'>, tx: Tx, ctx: Context): Promise<Inventory> {
  const labels = await labelFiles(tx);
  return {
    identifiersKey: await currentIdentifiers(tx, ctx),
    files: (await uploadedFiles(tx)).map((row) => ({
      key: row.storage_key,
      sha256: row.sha256,
      ending: endingOf(row.path, row.content_type),
      columns: 'all',
      isShortened: labels.has(row.id),
      row,
    })),
    results: (await keptResults(tx)).map(({ batchId, key, sha256, format }) => ({
      key,
      sha256,
      ending: `.${format}`,
      columns: format === 'errors' ? 'bytes' : 'all',
      isShortened: false,
      batchId,
    })),
    parts: await keptParts(app, tx, ctx),
  };
}

/** Returns the parts of all snapshots that still have parts, with the columns in which a name itself may appear. */
async function keptParts({ parsing }: Pick<App, 'parsing'>, tx: Tx, ctx: Context): Promise<KeptPart[]> {
  const current = await currentSnapshot(tx, ctx);
  const parts = new Map<string, KeptPart>();
  const read = new Map<string, Awaited<ReturnType<typeof readSearched>>>();
  for (const { id, manifest } of await selectManifests(tx)) {
    const input = { contract: manifest.contract, numbered: manifest.numbered ?? null };
    const place = JSON.stringify(input);
    const searched =
      read.get(place) ?? (await parsing.run<typeof readSearched>({ name: 'readSearched', input }, ctx.workspaceId));
    read.set(place, searched);
    for (const { name, parts: own } of manifest.tables) {
      const asked = searched.get(name)!;
      for (const { path, sha256 } of own) {
        const known = parts.get(path);
        parts.set(path, {
          key: partKey(ctx, path),
          sha256,
          ending: '.parquet',
          columns: asked.map((column) => column.name),
          isShortened: false,
          table: name,
          isCurrent: id === current?.id || known?.isCurrent === true,
          snapshots: [...(known?.snapshots ?? []), id],
          numbers: new Set(asked.filter(({ isNumber }) => isNumber).map((column) => column.name)),
        });
      }
    }
  }
  return [...parts.values()];
}

/** With what an erasure searches and stores. `about` says which one it is, for the log. */
export type Means = {
  readonly identifier: string;
  readonly folder: string;
  readonly findings: Findings;
  readonly signal: AbortSignal;
  readonly about: Readonly<Record<string, string>>;
};

/** Searches the pieces of an inventory that have no findings yet. */
export async function look(
  app: App,
  { workspaceId }: Context,
  inventory: Inventory,
  { identifier, folder, findings, signal, about }: Means,
): Promise<void> {
  const unseen = piecesOf(inventory).filter((piece) => !findings.has(nameOf(piece)));
  for (let at = 0; at < unseen.length; at += piecesPerTask) {
    const some = unseen.slice(at, at + piecesPerTask);
    const pieces = [];
    for (const [index, piece] of some.entries()) {
      const place = join(folder, `${findings.size + index}`);
      const path = `${place}${piece.ending}`;
      await symlink(await app.storage.localPath(piece.key, piece.sha256), path);
      pieces.push({ path, columns: piece.columns, rest: piece.isShortened ? `${place}.rest` : null });
    }
    const found = await app.compute!.run<typeof lookFor>(
      { name: 'lookFor', input: { identifier, pieces } },
      { signal, group: workspaceId, leaves: leaves.erasure, folder, about },
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
