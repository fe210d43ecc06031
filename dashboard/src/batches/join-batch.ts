import type { Lastro } from '@lastro/sdk';
import { csvLine, rowsOfCsv } from '../uploads/csv.ts';
import { bytesOf } from '../uploads/put-file.ts';
import type { Batch } from './batch.ts';
import { readErrors } from './failed-rows.ts';
import { type CorrectedRows, joinResults, openNumbers } from './join-results.ts';
import { fileColumnOf, rowColumnOf } from './original-rows.ts';
import { signs } from './sheet-form.ts';

/** Batches of corrected rows, and of rows corrected once more, that are joined with one result. */
const correctionsMax = 50;

export const isCsv = (path: string): boolean => /\.csv$/i.test(path);

const delimiterOf = ({ csv_dialect: dialect }: Batch): string =>
  signs[dialect === 'excel_semicolon' ? 'pt-BR' : 'en'].delimiter;

/**
 * A file of a result with the results of its corrected rows, in the order of the original rows. Null where corrected
 * rows do not say which ones they are, or are written otherwise.
 */
export async function joinBatch(client: Lastro, batch: Batch, file: Batch['files'][number]): Promise<Blob | null> {
  const corrections: CorrectedRows[] = [];
  for (const one of await correctionsOf(client, batch)) {
    if (one.csv_dialect !== batch.csv_dialect) return null;
    const read = await readCorrected(client, one, batch, file);
    if (read === null) return null;
    corrections.push(...read);
  }
  const { files } = await client.batches.getResult(batch.id);
  const result = files.find(({ file_id }) => file_id === file.file_id);
  if (!result) return null;
  const rows = rowsOfCsv(await bytesOf(result.download_url), delimiterOf(batch));
  const { value: [columns = [], ...first] = [] } = (await rows.next()) as { value: readonly string[][] };
  const numberOf = await numbersOf(client, batch, file.file_id, columns);
  async function* rest() {
    yield first;
    yield* rows;
  }
  const parts: BlobPart[] = batch.csv_dialect === 'excel_semicolon' ? ['\ufeff'] : [];
  let lines: string[] = [];
  for await (const cells of joinResults({ columns, rows: rest(), numberOf }, corrections)) {
    lines.push(csvLine(cells, delimiterOf(batch)));
    if (lines.length < linesPerPart) continue;
    // The browser keeps large blobs on the disk.
    parts.push(new Blob(lines));
    lines = [];
  }
  return new Blob([...parts, ...lines], { type: 'text/csv' });
}

const linesPerPart = 10_000;

/** Which row of the original file a row of its result is. */
async function numbersOf(client: Lastro, batch: Batch, fileId: string, columns: readonly string[]) {
  const known = batch.corrects === null ? -1 : rowColumnOf(columns);
  const at = known >= 0 ? known : batch.include.includes('row') ? columns.indexOf('row') : -1;
  if (at >= 0) return (cells: readonly string[]) => Number(cells[at]);
  const { rows } = await readErrors(client, batch.id);
  return openNumbers(new Set(rows.flatMap(({ file_id, row }) => (file_id === fileId ? (row ?? []) : []))));
}

/** The batches with corrected rows of one, and those with rows of theirs, the oldest first. */
async function correctionsOf(client: Lastro, { corrected_by: direct }: Batch): Promise<readonly Batch[]> {
  const found: Batch[] = [];
  const open = direct.map(({ id }) => id);
  while (open.length > 0 && found.length < correctionsMax) {
    const one = await client.batches.get(open.shift()!);
    found.push(one);
    open.push(...one.corrected_by.map(({ id }) => id));
  }
  const isThere = ({ finished_at: ended, result_deleted_at: deleted, progress }: Batch) =>
    ended !== null && deleted === null && progress.rows.succeeded > 0;
  return found.filter(isThere).toSorted((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at));
}

/** What corrections say of the rows of one file; null where they do not say which ones they are. */
async function readCorrected(
  client: Lastro,
  correction: Batch,
  original: Batch,
  { path }: Batch['files'][number],
): Promise<readonly CorrectedRows[] | null> {
  const read: CorrectedRows[] = [];
  for (const { path: name, download_url } of (await client.batches.getResult(correction.id)).files) {
    if (!isCsv(name)) return null;
    const all: string[][] = [];
    for await (const rows of rowsOfCsv(await bytesOf(download_url), delimiterOf(correction))) all.push(...rows);
    const [columns = [], ...rows] = all;
    const at = rowColumnOf(columns);
    const file = fileColumnOf(columns);
    if (at < 0 || (file < 0 && original.files.length > 1)) return null;
    // A path that a spreadsheet would run has an apostrophe before it.
    const own = file < 0 ? rows : rows.filter((cells) => cells[file] === path || cells[file] === `'${path}`);
    const numbers = own.map((cells) => {
      const number = Number(cells[at]);
      return Number.isInteger(number) && number > 0 ? number : null;
    });
    read.push({ id: correction.id, columns, rows: own, numbers });
  }
  return read;
}
