import type { Tx } from '../../access/transactions.ts';
import { unreferenced } from './remove.ts';
import { sameMs } from './sftp-file.ts';
import { lockByName, lockLastTaken, updateFile } from './sql.ts';

/**
 * Whether the bytes are those of the file that was taken last under a name, within a day: then it is that file, sent
 * once more, and what stands under the name is that again, in place of what came since (the beginning of a file whose
 * line dropped, or nothing, since clients remove what they replace). The name must be locked. Returns the keys of bytes
 * that nothing refers to then; null for another file.
 */
export async function takeAgain(tx: Tx, name: string, sha256: string): Promise<string[] | null> {
  const last = await lockLastTaken(tx, name);
  if (!last || last.sha256 !== sha256 || Date.now() - last.created_at.getTime() >= sameMs) return null;
  if (last.removed_at === null) return [];
  const left = await clearName(tx, name);
  await updateFile(tx, last.id, { removed_at: null });
  return left;
}

/** Removes what is under a name, which must be locked. Returns the keys of bytes that nothing refers to then. */
export async function clearName(tx: Tx, name: string): Promise<string[]> {
  const before = await lockByName(tx, name);
  if (!before) return [];
  await updateFile(tx, before.id, { removed_at: new Date() });
  return unreferenced(before);
}
