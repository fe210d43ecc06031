// The thread that writes the folder of an export, because hashing files and naming labels would delay other requests.
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { crc32 } from 'node:zlib';
import { serveCalls } from '../../lib/threads/serve.ts';
import type { Contract } from '../../ml/contract/contract.ts';
import { parseStoredContract } from '../../ml/contract/parse.ts';
import { type ExportInput, writeExport } from '../../ml/export/export.ts';
import { openIdentifiers } from '../../ml/lake/identifiers.ts';
import { keptContract } from '../../ml/lake/layout.ts';
import { readManifest } from '../../ml/lake/manifest.ts';

/** A file of an export. Its name begins with the name of the folder. */
export type ExportedFile = {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly crc32: number;
};

const calls = {
  /**
   * Writes the folder of an export. `names`: a local file with the dictionary of names, or null. `manifest`: of the
   * newest snapshot, whose contract says how the customer's files are read.
   */
  async write({
    out,
    names,
    manifest,
    input,
  }: {
    out: string;
    names: string | null;
    manifest: string;
    input: Omit<ExportInput, 'nameOf' | 'contract'>;
  }): Promise<ExportedFile[]> {
    const identifiers = names === null ? null : await openIdentifiers(names);
    await writeExport(out, {
      ...input,
      contract: contractOfFiles(manifest),
      ...(identifiers && { nameOf: (number: number) => identifiers.entryOf(number)?.identifier ?? null }),
    });
    const found = await readdir(out, { recursive: true, withFileTypes: true });
    const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const files: ExportedFile[] = [];
    for (const path of paths.sort()) {
      const { bytes, crc } = await measure(path);
      const name = relative(dirname(out), path).split(sep).join('/');
      files.push({ path, name, bytes, crc32: crc });
    }
    return files;
  },
};
export type ExportCalls = typeof calls;

/** The contract of a snapshot, without the personal columns that are not stored. */
function contractOfFiles(text: string): Contract {
  const manifest = readManifest(text);
  const contract = parseStoredContract(manifest.contract, 'the contract of the snapshot');
  return manifest.numbered === undefined ? contract : keptContract(contract);
}

async function measure(path: string): Promise<{ bytes: number; crc: number }> {
  let [bytes, crc] = [0, 0];
  for await (const block of createReadStream(path)) {
    bytes += block.length;
    crc = crc32(block, crc);
  }
  return { bytes, crc };
}

serveCalls(calls);
