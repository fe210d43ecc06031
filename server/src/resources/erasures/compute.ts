import { pickRows } from '../../lib/files/column.ts';
import { describeFile, readChunks } from '../../lib/files/read.ts';
import { openWriter } from '../../lib/files/write.ts';
import type { TaskContext } from '../../lib/processes/serve.ts';
import { eraseIdentifier, noIdentifiers, openIdentifiers, writeIdentifiers } from '../../ml/lake/identifiers.ts';

export type EraseTask = {
  readonly identifier: string;
  /** Local file with the dictionary; null where there is none. */
  readonly identifiers: string | null;
  /** Local files to look for the identifier in. Of those with `rest`, the rows that do not name it are written there. */
  readonly files: readonly { readonly id: string; readonly path: string; readonly rest?: string }[];
  /** Local files of the tables as they are kept, of all snapshots. */
  readonly kept: readonly KeptFile[];
  /** Where the dictionary without it is written. */
  readonly out: string;
};

export type KeptFile = {
  readonly id: string;
  readonly path: string;
  readonly table: string;
  /** Whether the tables as they are now are made of it; otherwise an older snapshot is. */
  readonly isCurrent: boolean;
  /** Columns with text in which the name itself may stand. */
  readonly texts: readonly string[];
  /** Keys and references in numbers that are the customer's own; a name that the dictionary has is not meant by them. */
  readonly numbers: readonly string[];
};

export type EraseResult = {
  readonly entries: number;
  readonly files: readonly string[];
  /** As `table.column`: where current tables keep the name itself. Not empty means that nothing was written. */
  readonly remains: readonly string[];
  /** Of older snapshots, those of `kept` that keep the name itself. */
  readonly older: readonly string[];
};

/** Writes a dictionary without an identifier, and says which files name it. Writes nothing where a table keeps the name. */
export async function erase(task: EraseTask, { progress, signal }: TaskContext<string>): Promise<EraseResult> {
  const { identifier } = task;
  const book = task.identifiers === null ? noIdentifiers : await openIdentifiers(task.identifiers);
  const { identifiers, erased } = eraseIdentifier(book, identifier);
  const remains = new Set<string>();
  const older: string[] = [];
  for (const { id, path, table, isCurrent, texts, numbers } of task.kept) {
    signal.throwIfAborted();
    progress(id);
    const columns = erased.length > 0 ? texts : [...texts, ...numbers];
    const naming = await columnsNaming(path, columns, identifier);
    if (naming.length > 0 && !isCurrent) older.push(id);
    else for (const column of naming) remains.add(`${table}.${column}`);
  }
  if (remains.size > 0) return { entries: 0, files: [], remains: [...remains].sort(), older: [] };
  if (task.identifiers !== null) await writeIdentifiers(identifiers, task.out);
  const files: string[] = [];
  for (const { id, path, rest } of task.files) {
    signal.throwIfAborted();
    progress(id);
    if (!(await names(path, identifier))) continue;
    files.push(id);
    if (rest !== undefined) await writeRest(path, rest, identifier);
  }
  return { entries: erased.length, files, remains: [], older };
}

/** Whether a value of a file is the identifier. A file that cannot be read might be: it counts as one that does. */
async function names(path: string, identifier: string): Promise<boolean> {
  try {
    const { columns } = await describeFile(path);
    const all = columns.map(({ name }) => name);
    return (await columnsNaming(path, all, identifier)).length > 0;
  } catch {
    return true;
  }
}

async function columnsNaming(path: string, columns: readonly string[], identifier: string): Promise<string[]> {
  if (columns.length === 0) return [];
  const asText = columns.map((name) => ({ name, type: 'string' as const }));
  const found = new Set<string>();
  for await (const { rows } of readChunks(path, asText))
    for (const [name, column] of rows.columns)
      if (column.kind === 'text' && column.dictionary.includes(identifier)) found.add(name);
  return [...found];
}

/** Writes the rows of a file that do not name the identifier, in the format of the file, uncompressed. */
async function writeRest(path: string, rest: string, identifier: string): Promise<void> {
  const { format, columns } = await describeFile(path);
  const asText = columns.map(({ name }) => ({ name, type: 'string' as const }));
  const writer = await openWriter(rest, format, asText);
  for await (const { rows } of readChunks(path, asText)) {
    const isNamed = new Uint8Array(rows.rows);
    for (const column of rows.columns.values()) {
      if (column.kind !== 'text') continue;
      const code = column.dictionary.indexOf(identifier);
      if (code >= 0) for (let row = 0; row < rows.rows; row++) if (column.codes[row] === code) isNamed[row] = 1;
    }
    await writer.write(
      pickRows(
        rows,
        [...isNamed.keys()].filter((row) => isNamed[row] === 0),
      ),
    );
  }
  await writer.close();
}
