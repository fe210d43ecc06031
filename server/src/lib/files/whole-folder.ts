import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Makes a folder that appears whole or not at all. `fill` writes into an empty hidden folder beside it, which is then
 * renamed; the hidden folder is removed when `fill` throws. Returns what `fill` returns.
 */
export async function writeWhole<T>(folder: string, fill: (partial: string) => Promise<T>): Promise<T> {
  const partial = join(dirname(folder), `.${basename(folder)}.partial`);
  // Removes what an earlier attempt left that was killed.
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  try {
    const filled = await fill(partial);
    renameSync(partial, folder);
    return filled;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}
