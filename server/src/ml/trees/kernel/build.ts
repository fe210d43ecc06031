// Compiles assembly/*.ts to kernel.wasm (`npm run kernel`). The result is committed, so only this needs the compiler.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);

/** Compiles the kernel and returns its bytes. Throws, with the compiler's messages, when the source is wrong. */
export async function compileKernel(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-kernel-'));
  try {
    const outFile = join(folder, 'kernel.wasm');
    // Run as a separate program, because its types would replace Node's globals in the whole project.
    await promisify(execFile)(process.execPath, [
      require.resolve('assemblyscript/bin/asc.js'),
      fileURLToPath(new URL('assembly/index.ts', import.meta.url)),
      '--outFile',
      outFile,
      '--runtime',
      'stub',
      '--enable',
      'simd',
      '--optimizeLevel',
      '3',
      '--converge',
      '--noAssert',
    ]);
    return await readFile(outFile);
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const bytes = await compileKernel();
  await writeFile(new URL('kernel.wasm', import.meta.url), bytes);
  console.log(`kernel.wasm: ${bytes.length} bytes`);
}
