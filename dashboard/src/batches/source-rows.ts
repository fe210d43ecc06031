import type { Lastro } from '@lastro/sdk';
import { readLines } from '../uploads/take-rows.ts';

/** Rows of a file that was uploaded as CSV, as they stand there, by their numbers. */
export type SourceRows = {
  readonly fileId: string;
  readonly path: string;
  readonly delimiter: string;
  readonly columns: readonly string[];
  readonly rows: ReadonlyMap<number, readonly string[]>;
};

/** Whether rows of a file can be read, and written anew, cell by cell. */
export const isEditable = (path: string): boolean => /\.(csv|tsv|txt)(\.gz)?$/i.test(path);

/** Reads rows of a file up to the last of them. `tell` hears of the share of the file that has been read. */
export async function readRows(
  client: Lastro,
  { file_id: fileId, path }: { readonly file_id: string; readonly path: string },
  wanted: ReadonlySet<number>,
  tell: (share: number) => void,
): Promise<SourceRows> {
  const rows = new Map<number, readonly string[]>();
  let head: { readonly columns: readonly string[]; readonly delimiter: string } = { columns: [], delimiter: ',' };
  if (isEditable(path))
    for await (const { row, fields, delimiter } of readLines(client, { file_id: fileId, path }, tell)) {
      if (row === 0) head = { columns: fields!, delimiter };
      else if (wanted.has(row)) rows.set(row, fields!);
      if (rows.size === wanted.size) break;
    }
  return { fileId, path, ...head, rows };
}

/** Where a column stands, whatever its case; -1 where the file has none of the name. */
export function placeOfColumn(columns: readonly string[], name: string): number {
  return columns.findIndex((column) => column.trim().toLowerCase() === name.trim().toLowerCase());
}
