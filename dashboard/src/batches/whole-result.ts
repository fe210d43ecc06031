import { type Lastro, LastroError } from '@lastro/sdk';
import { withoutFormula } from '../kit/csv.ts';
import { rowsOfCsv } from '../uploads/csv.ts';
import { bytesOf } from '../uploads/put-file.ts';
import { readLines } from '../uploads/take-rows.ts';
import type { Batch } from './batch.ts';
import { readErrors } from './failed-rows.ts';
import { signs } from './sheet-form.ts';
import { isEditable } from './source-rows.ts';
import { openNumbers, wholeColumns } from './whole-columns.ts';

/** A file of a result as people keep it: what they sent, as they sent it, and behind it what was answered. */
export type WholeResult = {
  readonly columns: readonly string[];
  /** How many of the columns, the first ones, are those that were sent. */
  readonly sent: number;
  /** `number`: of the row in the file that was sent. */
  readonly rows: AsyncGenerator<{ readonly number: number; readonly cells: readonly string[] }>;
};

export const delimiterOf = ({ csv_dialect: dialect }: Batch): string =>
  signs[dialect === 'excel_semicolon' ? 'pt-BR' : 'en'].delimiter;

/**
 * Reads a file of a result, beside the file that was sent where this can be read: the service repeats the columns that
 * nothing read, and not the others, such as the day of each row. Null where there is no result of the file.
 */
export async function openResult(
  client: Lastro,
  batch: Batch,
  file: Pick<Batch['files'][number], 'file_id' | 'path'>,
): Promise<WholeResult | null> {
  const { files } = await client.batches.getResult(batch.id);
  const result = files.find(({ file_id }) => file_id === file.file_id);
  if (!result) return null;
  const answers = cellsOf(await bytesOf(result.download_url), delimiterOf(batch));
  const { value: answered = [] } = (await answers.next()) as { value?: readonly string[] };
  const { numberOf, isSure } = await numbersOf(client, batch, file.file_id, answered);
  const lines = isSure && isEditable(file.path) ? readLines(client, file, () => {}) : null;
  const head = await lines?.next().catch(unlessDeleted);
  const whole = wholeColumns(batch, head?.value?.fields ?? null, answered);
  async function* rows() {
    try {
      let line: Awaited<typeof head> = head;
      for await (const cells of answers) {
        const number = numberOf(cells);
        while (line?.value && line.value.row < number) line = await lines!.next();
        const own = line?.value?.row === number ? line.value.fields! : [];
        const sent = whole.sent.map(({ at }) => own[at] ?? '');
        const plain = batch.csv_formulas === 'raw' ? sent : sent.map(withoutFormula);
        yield { number, cells: [...plain, ...whole.answered.map((at) => cells[at]!)] };
      }
    } finally {
      await lines?.return(undefined);
    }
  }
  const columns = [...whole.sent.map(({ name }) => name), ...whole.answered.map((at) => answered[at]!)];
  return { columns, sent: whole.sent.length, rows: rows() };
}

async function* cellsOf(bytes: ReadableStream<Uint8Array<ArrayBuffer>>, delimiter: string) {
  for await (const rows of rowsOfCsv(bytes, delimiter)) yield* rows;
}

/** A file may have been deleted after it was scored: then there is what the result has. */
function unlessDeleted(error: unknown): undefined {
  if (!(error instanceof LastroError && (error.code === 'file_deleted' || error.code === 'not_found'))) throw error;
}

/** Which row of the file that was sent a row of its result is. Not sure where it was not scored to its end. */
async function numbersOf(client: Lastro, batch: Batch, fileId: string, columns: readonly string[]) {
  const at = batch.include.includes('row') ? columns.indexOf('row') : -1;
  if (at >= 0) return { numberOf: (cells: readonly string[]) => Number(cells[at]), isSure: true };
  const { rows, isWhole } = await readErrors(client, batch.id);
  const leftOut = new Set(rows.flatMap(({ file_id, row }) => (file_id === fileId ? (row ?? []) : [])));
  return { numberOf: openNumbers(leftOut), isSure: isWhole && batch.status === 'succeeded' };
}
