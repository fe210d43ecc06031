import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

const blockBytes = 1 << 20;

/** SHA-256 of a file of any size, in hexadecimal. */
export function hashFile(path: string): string {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafe(blockBytes);
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const bytes = readSync(file, block);
      if (bytes === 0) return hash.digest('hex');
      hash.update(block.subarray(0, bytes));
    }
  } finally {
    closeSync(file);
  }
}
