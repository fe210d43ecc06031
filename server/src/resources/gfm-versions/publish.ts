import { join } from 'node:path';
import { type Database, graphModel } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { Failure } from '../../lib/failure.ts';
import { putFiles } from '../../lib/storage/put-file.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { gfmFiles, readGfmIdentity } from '../../ml/gfm/version.ts';
import { insertGfmVersion, selectReleased } from './sql.ts';

/**
 * Releases a version folder of the graph model to every workspace; each workspace chooses when to adopt it. `storage`
 * is the graph model's own storage. Throws Failure 'conflict' when the name or the snapshot is already released,
 * 'invalid', 'not_found'.
 */
export async function publishGfm(
  db: Database,
  storage: Storage,
  folder: string,
): Promise<{ id: string; name: string; modelSnapshot: string }> {
  const { name, modelSnapshot, generatedAt, isSynthetic } = readGfmIdentity(folder);
  const known = await graphModel(db, (tx) => selectReleased(tx, name, modelSnapshot));
  if (known)
    throw new Failure('conflict', `${known.name} was released before, as ${known.id}; a version is never changed`);
  const id = newId('gfm');
  const files = await putFiles(storage, `${id}/`, new Map(gfmFiles(folder).map((file) => [file, join(folder, file)])));
  const version = { id, name, modelSnapshot, generatedAt: new Date(generatedAt), isSynthetic };
  await graphModel(db, (tx) => insertGfmVersion(tx, { ...version, files, prefix: `${gfmFolder}${id}/` }));
  return { id, name, modelSnapshot };
}

/** The prefix of the storage keys of all graph model versions. */
export const gfmFolder = 'gfm/';
