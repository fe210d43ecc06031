import type { ColumnRequest, FileDescription } from '../../lib/files/read.ts';
import { type InputRequest, inputRequests } from '../../ml/version/input-requests.ts';
import { type FileColumns, nameInFile, namesOf } from '../../ml/version/other-names.ts';
import type { OpenTarget } from './targets.ts';

/** Which columns a file has. A JSONL file may have any: a key may first appear after the lines that were inspected. */
export function columnsIn({ format, columns }: FileDescription): FileColumns {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  const isSeen = (name: string) => names.has(name.toLowerCase());
  return { isSeen, has: (name) => format === 'jsonl' || isSeen(name) };
}

/**
 * Plans which columns of a file to read, by name in lower case. A column that all versions read alike is read as they
 * read it. A column that only some versions read, or that they read as different types, is read as text, and converted
 * for the rows of each version. Throws Failure 'invalid' when the file has an input under two names.
 */
export function planInputs(targets: readonly OpenTarget[], file: FileColumns): Map<string, ColumnRequest> {
  const wanted = new Map<string, ColumnRequest[]>();
  for (const { opened } of targets) {
    for (const input of inputRequests(opened.version)) {
      const name = nameInFile(input, file);
      if (name === null) continue;
      const { aliases: _, column: __, ...request } = input;
      const found = wanted.get(name.toLowerCase()) ?? [];
      wanted.set(name.toLowerCase(), [...found, { ...request, name }]);
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
        : {
            name: first.name,
            type: 'string',
            takesLists: found.some(({ takesLists }) => takesLists === true),
            keepsClocks: true,
          },
    );
  }
  return requests;
}

/** The request by which a file is read for an input of a version; undefined when it has no such column. */
export function requestFor(
  wanted: InputRequest,
  requests: ReadonlyMap<string, ColumnRequest>,
): ColumnRequest | undefined {
  const found = namesOf(wanted).find((one) => requests.has(one.toLowerCase()));
  return found === undefined ? undefined : requests.get(found.toLowerCase());
}

/** Whether two versions read a column alike: as the same type and form, with the same texts for missing values. */
export function isReadAlike(a: ColumnRequest, b: ColumnRequest): boolean {
  const told = ({ type, form, missing = [] }: ColumnRequest) => JSON.stringify([type, form, missing]);
  return told(a) === told(b);
}
