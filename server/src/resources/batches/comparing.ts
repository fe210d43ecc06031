import type { Column } from '../../lib/files/column.ts';
import { describeFile, readChunks } from '../../lib/files/read.ts';

export type CompareTask = {
  /** Two local files of results in the same format: the one that was stored, and rows that were scored again. */
  readonly stored: string;
  readonly again: string;
  /** The rows of the stored file that were scored again: so many from the first, which counts as 0. */
  readonly first: number;
  readonly count: number;
  /** Rows that are told of those that differ. */
  readonly most: number;
};

export type Compared = {
  readonly different: number;
  /** The first rows that differ, numbered from 1 in the stored file, with the columns in which they do. */
  readonly rows: readonly { readonly row: number; readonly columns: readonly string[] }[];
};

/** Rows that are held against each other at a time. */
const rowsPerChunk = 8_192;

/** Holds rows of a result against the same rows scored again, value by value. */
export async function compareResults({ stored, again, first, count, most }: CompareTask): Promise<Compared> {
  const { columns, format } = await describeFile(again);
  const names = columns.map(({ name }) => name);
  const [one, other] = [
    rowsOf(stored, names, format === 'parquet' ? { skip: 0, range: { first, count } } : { skip: first }),
    rowsOf(again, names, { skip: 0 }),
  ];
  let different = 0;
  const rows: Compared['rows'][number][] = [];
  for (let at = 0; at < count; at++) {
    const [before, now] = [await one.next(), await other.next()];
    if (before.done && now.done) break;
    const differing = names.filter((_, place) => before.value?.[place] !== now.value?.[place]);
    if (differing.length === 0 && before.done === now.done) continue;
    different++;
    if (rows.length < most) rows.push({ row: first + at + 1, columns: differing });
  }
  await Promise.all([one.return(), other.return()]);
  return { different, rows };
}

type Cells = readonly (string | null)[];

/** The rows of a file as texts, one after the other, without the first `skip`. */
async function* rowsOf(
  path: string,
  names: readonly string[],
  { skip, range }: { readonly skip: number; readonly range?: { readonly first: number; readonly count: number } },
): AsyncGenerator<Cells, void, void> {
  const requests = names.map((name) => ({ name, type: 'string' as const, takesLists: true }));
  let left = skip;
  for await (const { rows } of readChunks(path, requests, { rowsPerChunk, ...(range && { range }) })) {
    const columns = names.map((name) => rows.columns.get(name));
    for (let row = 0; row < rows.rows; row++) {
      if (left-- > 0) continue;
      yield columns.map((column) => textAt(column, row));
    }
  }
}

function textAt(column: Column | undefined, row: number): string | null {
  if (column?.kind !== 'text' || column.codes[row] < 0) return null;
  return column.dictionary[column.codes[row]];
}
