// Where the service of a data folder answers, told to commands that run beside it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileName = 'address';

export function writeAddress(dataDir: string, address: string): void {
  writeFileSync(join(dataDir, fileName), `${address}\n`);
}

/** The address at which a service answered last; null when none has written it. */
export function readAddress(dataDir: string): string | null {
  try {
    return readFileSync(join(dataDir, fileName), 'utf8').trim();
  } catch {
    // None has: or a folder that cannot be read, which opening the data will tell.
    return null;
  }
}
