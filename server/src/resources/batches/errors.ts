import { Type } from 'typebox';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { becauseSchema } from '../../api/because.ts';
import { pageSize } from '../../api/list.ts';
import { answerOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { refuse } from '../../errors.ts';
import { makeCursor, readCursor } from '../../lib/http/cursor.ts';
import type { ExpectedHash } from '../../lib/storage/storage.ts';
import { type ListedRow, listedWarning } from '../../serving/rows/row-warnings.ts';
import type { App } from '../app.ts';
import type { JobFailure } from '../job.ts';
import { type BatchFileRow, type BatchUnitRow, openUnitStatuses } from './batch.ts';
import { requireBatch } from './require.ts';
import type { RowError, RowNote } from './scoring/row-error.ts';
import { selectFiles } from './sql.ts';
import { selectUnits } from './work/sql.ts';

const batchErrorExample = {
  file_id: 'file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  file: '2026/customers.parquet',
  row: 17,
  column: 'customer_id',
  code: 'missing_input',
  message: 'is required by this version',
};

export const batchErrorSchema = answerOf('BatchError', batchErrorExample, {
  file_id: Type.String(),
  file: Type.String({ description: 'Its path.' }),
  row: nullable(Type.Integer({ description: 'Data row of the file, from 1; null where the file is at fault.' })),
  column: nullable(Type.String()),
  code: Type.String({
    description:
      'unreadable_row, invalid_input, missing_input, unknown_endpoint, reference_date_in_future; for a file: as its failure.',
  }),
  message: Type.String(),
  because: Type.Optional(becauseSchema),
});

const batchRowWarningExample = {
  file_id: 'file_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  file: '2026/customers.parquet',
  row: 21,
  column: 'customer_id',
  code: listedWarning,
};

export const batchRowWarningSchema = answerOf('BatchRowWarning', batchRowWarningExample, {
  file_id: Type.String(),
  file: Type.String({ description: 'Its path.' }),
  row: Type.Integer({ description: 'Data row of the file, from 1.' }),
  column: Type.String({ description: 'Of the file.' }),
  code: Type.String({ enum: [listedWarning] }),
});

/**
 * A source of notes: the failure of a file, or what a unit that has ended has written down of its rows. Sources come in
 * the order of files, and within a file its failure first, then its units.
 */
type Source = { readonly place: string; readonly file: BatchFileRow; open(from: number): AsyncIterable<Entry> };
/** A note, and the byte in its source at which it begins, where a later page can continue. */
type Entry = { readonly from: number; readonly note: NoteOfFile };
type NoteOfFile = RowNote | FileError;
type FileError = Omit<RowError, 'row' | 'code'> & { readonly row: null; readonly code: string };

type Page = { readonly limit?: number; readonly cursor?: string };

/**
 * Returns one page of the errors of a batch, in order of file and row. Throws Failure 'not_found', 'malformed',
 * 'result_deleted'.
 */
export function listErrors(app: App, ctx: Context, id: string, page: Page) {
  return listNotes(app, ctx, id, page, { list: 'batch-errors', isWanted: isError });
}

/** The same of the rows that have an answer, and a warning that is listed. */
export function listWarnings(app: App, ctx: Context, id: string, page: Page) {
  return listNotes(app, ctx, id, page, { list: 'batch-warnings', isWanted: isListed });
}

const isListed = (note: NoteOfFile): note is ListedRow => note.code === listedWarning;
const isError = (note: NoteOfFile): note is RowError | FileError => !isListed(note);

async function listNotes<T extends NoteOfFile>(
  app: App,
  ctx: Context,
  id: string,
  { limit, cursor }: Page,
  { list: name, isWanted }: { readonly list: string; isWanted(note: NoteOfFile): note is T },
) {
  const { files, units } = await tenant(app.db, ctx, async (tx) => {
    const { result_deleted_at } = await requireBatch(tx, id);
    if (result_deleted_at !== null) throw refuse('result_deleted', 'the result of the batch has been deleted');
    return { files: await selectFiles(tx, [id]), units: await selectUnits(tx, id) };
  });
  const list = JSON.stringify([ctx.workspaceId, name, id]);
  const size = pageSize(limit);
  const start = cursor === undefined ? null : placeOf(readCursor(app.keys.cursors, list, cursor));
  const data = [];
  for (const { place, file, open } of sourcesOf(app, files, units)) {
    if (start && place < start.place) continue;
    for await (const { from, note } of open(start?.place === place ? start.from : 0)) {
      if (!isWanted(note)) continue;
      if (data.length === size)
        return { data, next_cursor: makeCursor(app.keys.cursors, list, `${place} ${from}`), has_more: true };
      data.push({ file_id: file.file_id, file: file.path, ...note });
    }
  }
  return { data, next_cursor: null, has_more: false };
}

function placeOf(text: string): { place: string; from: number } {
  const [place, from] = text.split(' ');
  return { place, from: Number(from) };
}

function* sourcesOf(app: App, files: readonly BatchFileRow[], units: readonly BatchUnitRow[]): Generator<Source> {
  for (const file of files) {
    const failure = file.failure as JobFailure | null;
    if (failure) yield { place: placeName(file.position, 0), file, open: () => wholeFile(failure) };
    for (const { position, unit, status, errors_key: key, errors_sha256: sha256 } of units) {
      if (position !== file.position || key === null || openUnitStatuses.includes(status)) continue;
      yield { place: placeName(position, unit + 1), file, open: (from) => readNotes(app, { key, sha256 }, from) };
    }
  }
}

/** Names a source so that names sort as text in the order of files and their units. */
function placeName(position: number, unit: number): string {
  return `${String(position).padStart(6, '0')}.${String(unit).padStart(9, '0')}`;
}

async function* wholeFile({ code, detail }: JobFailure): AsyncGenerator<Entry> {
  yield { from: 0, note: { row: null, column: null, code, message: detail } };
}

const newline = 10;

/** Reads what a unit has written down of its rows, starting at a byte. */
async function* readNotes(
  app: App,
  { key, sha256 }: { readonly key: string; readonly sha256: ExpectedHash },
  from: number,
): AsyncGenerator<Entry> {
  const stream = await app.storage.get(key, sha256, { range: { start: from } });
  let rest: Buffer = Buffer.alloc(0);
  let at = from;
  for await (const chunk of stream) {
    rest = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    for (;;) {
      const end = rest.indexOf(newline);
      if (end === -1) break;
      // Scoring wrote one JSON object per line, so the cast holds.
      yield { from: at, note: JSON.parse(rest.toString('utf8', 0, end)) as RowNote };
      at += end + 1;
      rest = rest.subarray(end + 1);
    }
  }
}
