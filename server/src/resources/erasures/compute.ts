import { describeFile, readChunks } from '../../lib/files/read.ts';
import type { TaskContext } from '../../lib/processes/serve.ts';
import { eraseIdentifier, openIdentifiers, writeIdentifiers } from '../../ml/lake/identifiers.ts';

export type EraseTask = {
  readonly identifier: string;
  /** Local file with the dictionary; null where there is none. */
  readonly identifiers: string | null;
  /** Local files to look for the identifier in. */
  readonly files: readonly { readonly id: string; readonly path: string }[];
  /** Where the dictionary without it is written. */
  readonly out: string;
};

export type EraseResult = { readonly entries: number; readonly files: readonly string[] };

/** Writes a dictionary without an identifier, and says which files name it. */
export async function erase(task: EraseTask, { progress, signal }: TaskContext<string>): Promise<EraseResult> {
  let entries = 0;
  if (task.identifiers !== null) {
    const { identifiers, erased } = eraseIdentifier(await openIdentifiers(task.identifiers), task.identifier);
    entries = erased.length;
    await writeIdentifiers(identifiers, task.out);
  }
  const files: string[] = [];
  for (const { id, path } of task.files) {
    signal.throwIfAborted();
    progress(id);
    if (await names(path, task.identifier)) files.push(id);
  }
  return { entries, files };
}

/** Whether a value of a file is the identifier. A file that cannot be read might be: it counts as one that does. */
async function names(path: string, identifier: string): Promise<boolean> {
  try {
    const { columns } = await describeFile(path);
    for await (const { rows } of readChunks(
      path,
      columns.map(({ name }) => ({ name, type: 'string' as const })),
    ))
      for (const column of rows.columns.values())
        if (column.kind === 'text' && column.dictionary.includes(identifier)) return true;
    return false;
  } catch {
    return true;
  }
}
