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

/** What a workspace keeps at one moment in which a name may stand. */
export type Inventory = {
  /** Of the dictionary of names; null before the first ingestion. */
  readonly identifiersKey: string | null;
  readonly files: readonly KeptFile[];
  readonly results: readonly (StoredPiece & { readonly batchId: string })[];
  readonly parts: readonly KeptPart[];
};

/** Something to look into. Bytes never change under a key: what was once found in them holds. */
export type StoredPiece = {
  readonly key: string;
  /** By which its format is known. */
  readonly ending: string;
  readonly columns: readonly string[] | 'all' | 'bytes';
  /** Whether its rows that do not name the identifier are kept. */
  readonly isShortened: boolean;
};

/** A file as a customer sent it. */
export type KeptFile = StoredPiece & { readonly row: FileRow };

/** A part of tables, of all snapshots that have it. */
export type KeptPart = StoredPiece & {
  readonly table: string;
  /** Whether the tables as they are now are made of it; otherwise older snapshots are. */
  readonly isCurrent: boolean;
  readonly snapshots: readonly string[];
  /**
   * Of its columns the keys and references in numbers that are the customer's own; a name that the dictionary has is
   * not meant by them.
   */
  readonly numbers: ReadonlySet<string>;
};

export type Naming = {
  /** The columns that name the identifier. */
  readonly naming: readonly string[];
  /** A local file with the rows that do not. */
  readonly rest: string | null;
};

/** What was found in pieces, by what `nameOf` calls them. */
export type Findings = Map<string, Naming>;

/** Fetched, and looked into by one task. */
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

/** The parts of all snapshots that still have them, and the columns of each in which a name itself may stand. */
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

/** Looks into what of an inventory was not looked into before. */
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
