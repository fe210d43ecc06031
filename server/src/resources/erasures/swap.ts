import { join } from 'node:path';
import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { putFile } from '../../lib/storage/put-file.ts';
import type { StoredObject } from '../../lib/storage/storage.ts';
import type { Erased } from '../../schema/json.ts';
import { localIdentifiers } from '../../serving/snapshot-files.ts';
import type { App } from '../app.ts';
import { eraseResultsOver } from '../batches/erase.ts';
import { eraseEvaluations } from '../evaluations/erase.ts';
import { eraseFiles, shortenFile } from '../files/erase.ts';
import { fileKey } from '../files/request-upload.ts';
import { emptySnapshots, eraseDeviations } from '../ingestions/erase.ts';
import { ingestionLock } from '../ingestions/lock.ts';
import { identifiersKey } from '../ingestions/storage-key.ts';
import { leaves } from '../job.ts';
import { forgetUnsubmitted } from '../sftp-files/expire.ts';
import { eraseValidations } from '../validations/erase.ts';
import { setIdentifiers } from '../workspaces/change.ts';
import type { forgetName } from './compute.ts';
import {
  type Findings,
  type Inventory,
  type KeptFile,
  type KeptPart,
  type Means,
  type Naming,
  nameOf,
  piecesOf,
  type StoredPiece,
  takeInventory,
} from './look.ts';
import { lockOpenErasure, updateErasure } from './sql.ts';

/** The stored objects that replace those with the identifier. */
export type Replacement = {
  readonly identifiersKey: string;
  /** The number of entries that the dictionary had for the identifier. */
  readonly entries: number;
  /** The shortened label files, by the key of the original. */
  readonly rests: ReadonlyMap<string, StoredObject & { readonly key: string }>;
};

/** Stores the dictionary without the identifier, and the shortened label files. Nothing references either yet. */
export async function store(
  app: App,
  ctx: Context,
  { identifiersKey: key, files }: Inventory,
  { identifier, folder, findings, signal, about }: Means,
): Promise<Replacement> {
  const line = newId('dic');
  const out = join(folder, line);
  const identifiers = await localIdentifiers(app.storage, key);
  const { entries, sha256 } = await app.compute!.run<typeof forgetName>(
    { name: 'forgetName', input: { identifier, identifiers, out } },
    { signal, group: ctx.workspaceId, leaves: leaves.erasure, folder, about },
  );
  const newKey = identifiersKey(ctx, line, line, sha256);
  await putFile(app.storage, newKey, out, { expectedSha256: sha256 });
  const rests = new Map<string, StoredObject & { key: string }>();
  for (const file of files) {
    const rest = findings.get(nameOf(file))?.rest ?? null;
    if (rest === null) continue;
    const key = fileKey(ctx, newId('file'));
    rests.set(file.key, { key, ...(await putFile(app.storage, key, rest)) });
  }
  return { identifiersKey: newKey, entries, rests };
}

/** Removes a stored replacement that was not used. */
export async function discard(app: App, { identifiersKey, rests }: Replacement): Promise<void> {
  for (const key of [identifiersKey, ...[...rests.values()].map((rest) => rest.key)]) await app.storage.delete(key);
}

/**
 * The outcome of a swap. 'outdated': there is new data to search, or the erasure has ended. `remains`: columns of
 * current tables, as `table.column`, that keep the name as text.
 */
export type Swapped = 'done' | 'outdated' | { readonly remains: readonly string[] };

/**
 * Replaces, in one transaction, everything that contains the identifier, and records on the erasure the keys that are
 * no longer referenced. Changes nothing when there is data that was not searched, or when current tables keep the name
 * itself.
 */
export function swap(
  app: App,
  ctx: Context,
  id: string,
  before: Inventory,
  findings: Findings,
  { identifiersKey, entries, rests }: Replacement,
  identifier: string,
): Promise<Swapped> {
  return tenant(app.db, ctx, async (tx) => {
    await ingestionLock(tx, ctx);
    // Another worker may have ended it: the new dictionary would be discarded while the workspace refers to it.
    if (!(await lockOpenErasure(tx, id))) return 'outdated';
    const now = await takeInventory(app, tx, ctx);
    const { files, results, parts } = now;
    const isSeen = piecesOf(now).every((piece) => findings.has(nameOf(piece)));
    if (!isSeen || now.identifiersKey !== before.identifiersKey) return 'outdated';
    const naming = parts.filter((part) => namingColumns(part, findings, entries).length > 0);
    const remains = naming
      .filter(({ isCurrent }) => isCurrent)
      .flatMap((part) => namingColumns(part, findings, entries).map((column) => `${part.table}.${column}`));
    if (remains.length > 0) return { remains: [...new Set(remains)].sort() };
    const snapshots = [...new Set(naming.flatMap((part) => part.snapshots))];
    const named = files.filter((file) => foundIn(file, findings).naming.length > 0);
    const { gone, shortened } = await replaceFiles(tx, ctx, named, rests);
    const ids = named.map(({ row }) => row.id);
    const erased: Erased = {
      identifiers: entries,
      predictions: 0,
      files: gone,
      label_files: shortened,
      snapshots,
      batches: await eraseResultsOver(app, tx, ctx, {
        fileIds: ids,
        batchIds: results.filter((result) => foundIn(result, findings).naming.length > 0).map(({ batchId }) => batchId),
      }),
      evaluations: await eraseEvaluations(tx, ctx, { fileIds: ids, identifier }),
    };
    await eraseValidations(tx, identifier);
    await eraseDeviations(tx, ids);
    const frozen = await emptySnapshots(tx, snapshots);
    await setIdentifiers(tx, ctx, identifiersKey);
    const unsubmitted = await forgetUnsubmitted(tx);
    const doomed = [...named, ...naming].map(({ key }) => key).concat(frozen, unsubmitted);
    await updateErasure(tx, id, { erased: JSON.stringify(erased), doomed: JSON.stringify(doomed) });
    return 'done';
  });
}

async function replaceFiles(tx: Tx, ctx: Context, named: readonly KeptFile[], rests: Replacement['rests']) {
  const gone: string[] = [];
  const shortened: string[] = [];
  for (const { row, key } of named) {
    const rest = rests.get(key);
    if (rest !== undefined) await shortenFile(tx, row.id, rest.key, rest);
    (rest === undefined ? gone : shortened).push(row.id);
  }
  await eraseFiles(tx, ctx, gone);
  return { gone, shortened };
}

function namingColumns(part: KeptPart, findings: Findings, entries: number): string[] {
  return foundIn(part, findings).naming.filter((column) => entries === 0 || !part.numbers.has(column));
}

function foundIn(piece: StoredPiece, findings: Findings): Naming {
  return findings.get(nameOf(piece))!;
}
