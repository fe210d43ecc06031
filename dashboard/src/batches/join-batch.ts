import type { Lastro } from '@lastro/sdk';
import type { Batch } from './batch.ts';
import { type CorrectedRows, correctedIn, joinResults } from './join-results.ts';
import { fileColumnOf, rowColumnOf } from './original-rows.ts';
import { plainText } from './plain-text.ts';
import type { Answered } from './sheet-form.ts';
import { placeOfColumn } from './source-rows.ts';
import { openResult } from './whole-result.ts';

/** Batches of corrected rows, and of rows corrected once more, that are joined with one result. */
const correctionsMax = 50;

export const isCsv = (path: string): boolean => /\.csv$/i.test(path);

/**
 * A file of a result with the results of its corrected rows, in the order of the original rows. Null where corrected
 * rows do not say which ones they are, or are written otherwise.
 */
export async function joinBatch(client: Lastro, batch: Batch, file: Batch['files'][number]): Promise<Answered | null> {
  const corrections: CorrectedRows[] = [];
  for (const one of await correctionsOf(client, batch)) {
    if (one.csv_dialect !== batch.csv_dialect) return null;
    const read = await readCorrected(client, one, batch, file);
    if (read === null) return null;
    corrections.push(...read);
  }
  const original = await openResult(client, batch, file);
  if (!original) return null;
  const { columns, sent } = original;
  return { columns: [...columns, correctedIn], sent, rows: joinResults(original, corrections) };
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
  { file_id: fileId, path }: Batch['files'][number],
): Promise<readonly CorrectedRows[] | null> {
  const read: CorrectedRows[] = [];
  const form = formOf(original, fileId);
  for (const one of correction.files) {
    if (one.output_path === null) continue;
    if (!isCsv(one.output_path)) return null;
    const result = await openResult(client, correction, one);
    if (!result) return null;
    const { columns } = result;
    const at = rowColumnOf(columns);
    const file = fileColumnOf(columns);
    if (at < 0 || (file < 0 && original.files.length > 1)) return null;
    const day = placeOfColumn(
      columns.slice(0, result.sent),
      original.column_mapping.reference_date ?? 'reference_date',
    );
    const own = formOf(correction, one.file_id);
    const rows: (readonly string[])[] = [];
    const numbers: (number | null)[] = [];
    for await (const { cells } of result.rows) {
      // A path that a spreadsheet would run has an apostrophe before it.
      if (file >= 0 && cells[file] !== path && cells[file] !== `'${path}`) continue;
      const number = Number(cells[at]);
      rows.push(cells.map((cell, place) => (place === day ? dayIn(form, cell, own) : cell)));
      numbers.push(Number.isInteger(number) && number > 0 ? number : null);
    }
    read.push({ id: correction.id, columns, rows, numbers });
  }
  return read;
}

/** How a file of a batch writes the days of its rows, where not as ISO 8601 does. */
function formOf({ warnings }: Batch, fileId: string): string {
  const told = warnings.find(({ code, file_id }) => code === 'day_form' && file_id === fileId)?.values?.form;
  return typeof told === 'string' ? told : 'yyyy-MM-dd';
}

/** A day of a corrected row, which has it in a form of its own, in that of the rows that it stands among. */
function dayIn(form: string, text: string, own: string): string {
  const plain = plainText(text.trim(), { type: 'date', format: own as 'yyyyMMdd' });
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(plain) ?? [];
  return day ? form.replace('yyyy', year!).replace('MM', month!).replace('dd', day) : text;
}
