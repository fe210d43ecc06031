import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { Failure } from '../../lib/failure.ts';
import { type StoredGfm, selectStoredGfms } from '../../serving/graph-models.ts';
import { openStored } from '../../serving/open-stored.ts';
import { currentIdentifiers, type SnapshotRow } from '../../serving/snapshot.ts';
import { localSnapshot } from '../../serving/snapshot-files.ts';
import type { App } from '../app.ts';
import { placeTargets } from '../batches/place-targets.ts';
import type { TargetsTask } from '../batches/scoring/open-targets.ts';
import { selectPinnedSnapshot, selectPinnedVersion } from './sql.ts';

/** What an answer is pinned to. */
export type Pins = { readonly version_id: string; readonly snapshot_id: string };
/** What a replay may lack. */
export type Pin = 'version' | 'snapshot' | 'file';

/** What pins mean now, as the database has it. */
export type Pinned = {
  readonly version: NonNullable<Awaited<ReturnType<typeof selectPinnedVersion>>>;
  readonly snapshot: SnapshotRow;
  readonly graphModels: ReadonlyMap<string, StoredGfm>;
  /** The storage key of the dictionary of names, which all snapshots are read by. */
  readonly identifiersKey: string | null;
};

/** Returns what pins mean. Throws Failure 'pin_gone' where the version or the snapshot is no longer there. */
export async function requirePins(tx: Tx, ctx: Context, { version_id, snapshot_id }: Pins): Promise<Pinned> {
  const version = await selectPinnedVersion(tx, version_id);
  if (!version) throw pinGone('version', `version ${version_id} was deleted with its model`);
  const snapshot = await selectPinnedSnapshot(tx, snapshot_id);
  if (!snapshot) throw pinGone('snapshot', `snapshot ${snapshot_id} is no longer kept`);
  if (snapshot.erased_at !== null)
    throw pinGone(
      'snapshot',
      `snapshot ${snapshot_id} kept a name as text that was erased, and has no rows since ${snapshot.erased_at.toISOString()}`,
    );
  return {
    version,
    snapshot: { ...snapshot, manifest: JSON.stringify(snapshot.manifest) },
    graphModels: await selectStoredGfms(tx, [version]),
    identifiersKey: await currentIdentifiers(tx, ctx),
  };
}

/**
 * Fetches a pinned version and its snapshot into local files, those of the version below `folder`, for a child process.
 * Throws Failure 'pin_gone' where stored bytes of them are missing or damaged.
 */
export async function placePins(
  app: App,
  folder: string,
  { version, snapshot, graphModels, identifiersKey }: Pinned,
): Promise<TargetsTask> {
  const [whose, whatOf] = [`snapshot ${snapshot.id}`, `version ${version.id}`];
  const local = await stored(app, 'snapshot', whose, () => localSnapshot(app.storage, snapshot, identifiersKey));
  const targets = await stored(app, 'version', whatOf, () => placeTargets(app, folder, [version], graphModels));
  return {
    data: { id: `${snapshot.id} ${identifiersKey}`, frozen: local.frozen, identifiers: local.names },
    targets,
  };
}

async function stored<T>(app: App, pin: Pin, what: string, open: () => Promise<T>): Promise<T> {
  try {
    return await openStored(app.storage, what, open);
  } catch (error) {
    if (!(error instanceof Failure) || error.reason !== 'object_damaged') throw error;
    throw pinGone(pin, `the stored bytes of ${what} are missing or damaged`, error);
  }
}

export function pinGone(pin: Pin, message: string, cause?: unknown): Failure {
  return refuse('pin_gone', message, { problems: [{ at: `/pins/${pin}`, message }], ...(cause ? { cause } : {}) });
}

/** Which pin a refusal names; null for another one. */
export function pinOf(error: unknown): Pin | null {
  if (!(error instanceof Failure) || error.reason !== 'pin_gone') return null;
  return error.problems[0].at.replace('/pins/', '') as Pin;
}
