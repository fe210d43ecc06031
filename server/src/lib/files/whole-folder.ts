import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Makes a folder that appears whole or not at all: `fill` writes into a hidden one beside it, empty at first, which
 * then takes its name; it is removed when `fill` throws. Returns what `fill` does.
 */
export async function writeWhole<T>(folder: string, fill: (partial: string) => Promise<T>): Promise<T> {
  const partial = join(dirname(folder), `.${basename(folder)}.partial`);
  // What an attempt left there that was killed.
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
