import { type Database, tenant } from '../access/transactions.ts';
import { workspaceContext } from '../access/workspace-context.ts';
import type { Damage } from '../lib/storage/damage.ts';
import { record } from './record.ts';

type Log = { error(about: object, text: string): void; warn(about: object, text: string): void };

/** What is asked for again and again is recorded once in this time by each process. The log has every time. */
const recordEveryMs = 60 * 60 * 1000;
const rememberedMax = 1_000;

/**
 * Returns a function that tells of a damaged object: the operator by the log and by `count`, the members of its
 * workspace by an event. It never throws, and does not wait for the database.
 */
export function openDamageReport(db: Database, log: Log, count: () => void): (damage: Damage) => void {
  const recorded = new Map<string, number>();
  return (damage) => {
    const { key, expected, found } = damage;
    log.error({ key, expected_sha256: expected, found }, 'a stored object is damaged: restore it from a backup');
    count();
    const now = Date.now();
    if (now - (recorded.get(key) ?? 0) < recordEveryMs) return;
    recorded.set(key, now);
    if (recorded.size > rememberedMax) recorded.delete(recorded.keys().next().value!);
    announce(db, damage).catch((error) => {
      recorded.delete(key);
      log.warn({ err: error, key }, 'damage of an object not recorded');
    });
  };
}

/** Records the damage in the workspace of the object. Objects of the graph model belong to none. */
async function announce(db: Database, { key, expected, found }: Damage): Promise<void> {
  const [, workspaceId] = ownerOf(key);
  if (workspaceId === undefined) return;
  const ctx = await workspaceContext(db, workspaceId);
  const target = { type: 'stored_object', id: objectName(key) };
  await tenant(db, ctx, (tx) => record(tx, ctx, 'object-damage', target, { expected_sha256: expected, found }));
}

/** The name by which callers are told of a stored object: its key below the folder of its workspace. */
export function objectName(key: string): string {
  const [folder = ''] = ownerOf(key);
  return key.slice(folder.length);
}

/** The folder and the id of the workspace in a key; empty for what belongs to no workspace. */
function ownerOf(key: string): readonly string[] {
  return /^org_[^/]+\/(ws_[^/]+)\//.exec(key) ?? [];
}
