import type { Lastro, Schemas } from '@lastro/sdk';
import { takenNames } from '../data/taken-names.ts';
import { csvLine } from '../uploads/csv.ts';
import { sendFile } from '../uploads/send-file.ts';
import { nameOfTaken } from '../uploads/take-rows.ts';
import { wordsNow } from '../words/words.ts';
import type { Batch } from './batch.ts';
import { type BatchOfModel, bodyLike } from './body-like.ts';
import { leadingOf, rowColumnOf } from './original-rows.ts';
import { plainText } from './plain-text.ts';
import { placeOfColumn } from './source-rows.ts';

/** Rows of a file as they have been corrected, with their numbers in it. */
export type CorrectedFile = {
  readonly fileId: string;
  readonly path: string;
  readonly delimiter: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly number: number; readonly cells: readonly string[] }[];
};

/**
 * Sends the rows and has them scored as the batch was, by its own version, in a batch that corrects it. Its result says
 * the number of each row in the file that it is from. `key`: the same batch asked for again is one batch.
 */
export async function sendCorrection(
  client: Lastro,
  batch: BatchOfModel,
  files: readonly CorrectedFile[],
  key: string,
): Promise<Schemas['Batch']> {
  const ids: string[] = [];
  for (const [at, file] of files.entries()) {
    const sent = new File(
      [correctedText(batch, file)],
      nameOfTaken(file.path, wordsNow(takenNames).bad).replace(/\.gz$/i, ''),
    );
    const sending = { file: sent, key: `${key}-${at}`, md5: null };
    ids.push(await sendFile(client, sending, () => {}, new AbortController().signal));
  }
  // Its own count of rows would say another number than the one in the file that people know.
  const kept = batch.include.filter((one) => one !== 'row' && one !== 'input_columns');
  const body = bodyLike(batch, {
    files: ids,
    ...{ corrects: batch.id, include: [...kept, 'input_columns'], language: batch.language },
  });
  return client.batches.create(body, { idempotencyKey: key });
}

/**
 * The file of corrected rows. Its days are written in a form that cannot be misread: that of a file of few rows may not
 * be told from their values.
 */
export function correctedText(
  batch: Pick<Batch, 'corrects' | 'files' | 'warnings' | 'column_mapping'>,
  { fileId, path, delimiter, columns, rows }: CorrectedFile,
): string {
  const leading = leadingOf(batch, path)(columns);
  const told = batch.warnings.find(({ code, file_id }) => code === 'day_form' && file_id === fileId);
  const format = told?.values?.form;
  const dayColumn = placeOfColumn(columns, batch.column_mapping.reference_date ?? 'reference_date');
  const dayOf = (text: string): string =>
    typeof format === 'string' ? plainText(text.trim(), { type: 'date', format: format as 'yyyyMMdd' }) : text;
  const lines = rows.map(({ number, cells }) => {
    const own = columns.map((_, at) => (at === dayColumn ? dayOf(cells[at] ?? '') : (cells[at] ?? '')));
    return csvLine([...leading.map(({ say }) => say(number)), ...own], delimiter);
  });
  return [csvLine([...leading.map(({ name }) => name), ...columns], delimiter), ...lines].join('');
}

/** The number by which people know a row: that in the first file, of rows that are corrected once more. */
export function knownNumber({ corrects }: Pick<Batch, 'corrects'>, columns: readonly string[]) {
  const at = corrects === null ? -1 : rowColumnOf(columns);
  return (number: number, cells: readonly string[]): number => {
    const known = at < 0 ? Number.NaN : Number(cells[at]);
    return Number.isInteger(known) && known > 0 ? known : number;
  };
}
