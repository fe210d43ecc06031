// The thread that hashes large files, whose descriptors it shares with the process.
import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { serveCalls } from '../threads/serve.ts';

const blockBytes = 1 << 20;

const calls = {
  hash(descriptor: number): string {
    const hash = createHash('sha256');
    const block = Buffer.allocUnsafe(blockBytes);
    for (let at = 0; ; ) {
      const bytes = readSync(descriptor, block, 0, blockBytes, at);
      if (bytes === 0) return hash.digest('hex');
      hash.update(block.subarray(0, bytes));
      at += bytes;
    }
  },
};
export type HashCalls = typeof calls;

serveCalls(calls);
