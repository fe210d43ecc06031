import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Instructions by which numerical libraries choose how they add: other ones may give other last digits. */
const features = ['avx2', 'fma', 'avx512f', 'avx512_vnni', 'amx_tile', 'asimd', 'sve'];

/**
 * What computes answers here, in words: the release, Node, and the processor with what its libraries make use of. The
 * same answers come from the same words; from others, numbers may differ in their last digits.
 */
export const engine = [`lastro ${releaseOf()}`, `node ${process.versions.node}`, processorOf()].join(', ');

function releaseOf(): string {
  const path = fileURLToPath(new URL('../../package.json', import.meta.url));
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }).version;
}

function processorOf(): string {
  const has = flagsOf();
  return [process.arch, ...features.filter((name) => has.has(name))].join(' ');
}

/** The features of the first processor; none where the system does not tell. */
function flagsOf(): ReadonlySet<string> {
  try {
    const line = /^(?:flags|Features)\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'));
    return new Set(line?.[1].trim().split(/\s+/));
  } catch {
    return new Set();
  }
}
