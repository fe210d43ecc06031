import type { OutputFormat } from './batch.ts';

/**
 * Returns the name of each result within its batch: the path of the input with the ending of the result's format, and a
 * number where two would be equal. A name is never absolute and never leaves the folder that it is unpacked into. Null
 * stays null.
 */
export function outputPaths(
  inputs: readonly ({ readonly path: string; readonly format: OutputFormat } | null)[],
): (string | null)[] {
  const taken = new Set<string>();
  return inputs.map((input) => {
    if (input === null) return null;
    const stem = stemOf(input.path);
    for (let number = 1; ; number++) {
      const name = `${stem}${number === 1 ? '' : `-${number}`}.${input.format}`;
      // Some file systems ignore case.
      const key = name.toLowerCase();
      if (taken.has(key)) continue;
      taken.add(key);
      return name;
    }
  });
}

/**
 * The name under which a result is saved: it tells it from its input, which has the same path, and says which version
 * answered, unless rows named theirs.
 */
export function savedName(
  path: string,
  version: { readonly name: string; readonly number: number } | undefined,
): string {
  const end = path.lastIndexOf('.');
  const said = version ? `-${stemOf(version.name).replaceAll('/', '_')}-v${version.number}` : '';
  return `${path.slice(0, end)}-results${said}${path.slice(end)}`;
}

function stemOf(path: string): string {
  const parts = path
    .replaceAll('\\', '/')
    .split('/')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
    .map((part) => part.replace(/[\u0000-\u001f\u007f:*?"<>|]/g, '_').trim())
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  const name = (parts.pop() ?? 'rows').replace(/\.(parquet|csv|tsv|jsonl|ndjson)(\.gz)?$/i, '') || 'rows';
  return [...parts, name].join('/');
}
