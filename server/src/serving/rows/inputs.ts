import type { ColumnRequest, FileDescription } from '../../lib/files/read.ts';
import { inputRequests } from '../../ml/version/input-requests.ts';
import type { OpenTarget } from './targets.ts';

/**
 * Returns a function that tells whether a file may have a column, whatever its case. A JSONL file may have any column:
 * a key may first appear after the lines that were inspected.
 */
export function columnsIn({ format, columns }: FileDescription): (name: string) => boolean {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  return (name) => format === 'jsonl' || names.has(name.toLowerCase());
}

/**
 * Plans which input columns to read, by name in lower case. A column that all versions read alike is read as they read
 * it. A column that only some versions read, or that they read as different types, is read as text, and converted for
 * the rows of each version.
 */
export function planInputs(
  targets: readonly OpenTarget[],
  has: (column: string) => boolean,
): Map<string, ColumnRequest> {
  const wanted = new Map<string, ColumnRequest[]>();
  for (const { opened } of targets) {
    for (const request of inputRequests(opened.version)) {
      const name = request.name.toLowerCase();
      if (has(name)) wanted.set(name, [...(wanted.get(name) ?? []), request]);
    }
  }
  const requests = new Map<string, ColumnRequest>();
  for (const [name, found] of wanted) {
    const [first] = found;
    const isShared = found.length === targets.length && found.every((request) => isReadAlike(request, first));
    requests.set(
      name,
      isShared
        ? { ...first, required: found.every(({ required }) => required === true), isStrict: true }
        : { name: first.name, type: 'string', takesLists: found.some(({ takesLists }) => takesLists === true) },
    );
  }
  return requests;
}

/** Whether two versions read a column alike: as the same type, with the same texts for missing values. */
export function isReadAlike(a: ColumnRequest, b: ColumnRequest): boolean {
  return a.type === b.type && JSON.stringify(a.missing ?? []) === JSON.stringify(b.missing ?? []);
}
