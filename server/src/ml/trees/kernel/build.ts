// Compiles assembly/*.ts to kernel.wasm: `npm run kernel`. The result is committed, so nobody else needs the compiler.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

/** Compiles the kernel and returns its bytes. Throws with the compiler's messages when the source is wrong. */
export async function compileKernel(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-kernel-'));
  try {
    const outFile = join(folder, 'kernel.wasm');
    const { error, stderr } = await asc.main([
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
    if (error) throw new Error(`the tree kernel does not compile:\n${stderr.toString()}`, { cause: error });
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
