import { Failure } from '../failure.ts';
import { NotStored, type Storage } from './storage.ts';

export type CopiedObject = { readonly key: string; readonly size: number; readonly sha256: string };

export type CopiedObjects = {
  readonly objects: readonly CopiedObject[];
  /** Objects that were not there yet, and their bytes. */
  readonly made: { readonly count: number; readonly bytes: number };
  /** Keys of objects whose bytes are not what was stored. */
  readonly damaged: readonly string[];
};

/** Objects on their way at the same time. */
const copiedAtOnce = 4;

/**
 * Copies the objects of one storage into another, except for those that it has already. An object that is removed
 * meanwhile is passed over. `tell` hears of each, in no order.
 */
export async function copyObjects(
  from: Storage,
  to: Storage,
  tell: (key: string) => void = () => {},
): Promise<CopiedObjects> {
  const objects: CopiedObject[] = [];
  const damaged: string[] = [];
  const made = { count: 0, bytes: 0 };
  const copy = async (key: string): Promise<void> => {
    const found = await from.stat(key);
    if (found === null) return;
    const { size, sha256, contentType } = found;
    const known = await to.stat(key);
    if (known?.sha256 !== sha256 || known.size !== size) {
      const type = contentType === null ? {} : { contentType };
      await to.put(key, await from.get(key, sha256), { expectedSha256: sha256, size, ...type });
      made.count++;
      made.bytes += size;
    }
    objects.push({ key, size, sha256 });
    tell(key);
  };
  const keys = from.list('')[Symbol.asyncIterator]();
  const work = async (): Promise<void> => {
    for (let next = await keys.next(); !next.done; next = await keys.next()) {
      const { key } = next.value;
      await copy(key).catch((error) => {
        if (error instanceof NotStored) return;
        if (!(error instanceof Failure) || error.reason !== 'object_damaged') throw error;
        damaged.push(key);
      });
    }
  };
  await Promise.all(Array.from({ length: copiedAtOnce }, work));
  objects.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { objects, made, damaged: damaged.sort() };
}
