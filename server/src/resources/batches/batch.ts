import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { type MessageValues, messageValuesSchema } from '../../api/message-values.ts';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { csvDialects } from '../../lib/files/csv-dialect.ts';
import { csvFormulas } from '../../lib/files/formulas.ts';
import type { ColumnMapping } from '../../ml/version/other-names.ts';
import type { Batches, BatchFiles, BatchUnits } from '../../schema/tables.ts';
import { describeRows, type RowWarningCode, type TellingOf } from '../../serving/rows/row-warnings.ts';
import { failureSchema, type JobFailure } from '../job.ts';
import { type InTurn, startEta, startEtaSchema, waitsFor, waitsForSchema } from '../turns/turn.ts';
import { batchExample } from './example.ts';
import { batchesPerWorkspace } from './queue.ts';

export type BatchRow = Selectable<Batches>;
export type BatchFileRow = Selectable<BatchFiles>;
export type BatchUnitRow = Selectable<BatchUnits>;

export const outputFormats = ['parquet', 'csv', 'jsonl'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** Of a batch: from -priorityMax to priorityMax. */
export const priorityMax = 10;

/** What a batch may include with each prediction. */
export const includable = ['interval', 'row', 'warnings', 'input_columns'] as const;
export type Includable = (typeof includable)[number];

export const finishedStatuses: readonly string[] = ['succeeded', 'failed'];
/** The statuses of units that a worker has or that are still to be scored. */
export const openUnitStatuses: readonly string[] = ['planned', 'queued', 'running'];

/** The model for rows that name none. */
export type BatchModel = { readonly model_id: string; readonly alias: string | null; readonly version_id: string };
/**
 * What a file is warned of. Rows are counted while it is scored: `absent` by what there is to say of them, and `first`
 * has the numbers of the first of them, which batches of before those were told do without.
 */
export type Warning =
  | { readonly code: string; readonly message: string; readonly values?: MessageValues }
  | RowsWarning;

type RowsWarning = {
  readonly code: RowWarningCode;
  readonly absent: Readonly<Record<string, number>>;
  readonly first?: Readonly<Record<string, readonly number[]>>;
  /** Of conditions: their words, which batches of before those were told do without. */
  readonly said?: Readonly<Record<string, NonNullable<TellingOf[string]['said']>>>;
};

/** The rows that a warning which was kept tells of, by what there is to say of them. */
export function tellingOf({ absent, first = {}, said = {} }: RowsWarning): TellingOf {
  return Object.fromEntries(
    Object.entries(absent).map(([about, rows]) => [
      about,
      { rows, first: first[about] ?? [], ...(said[about] && { said: said[about] }) },
    ]),
  );
}

/** The warning as it is kept. */
export function keptWarning(code: RowWarningCode, told: TellingOf): RowsWarning {
  const of = <T>(pick: (one: TellingOf[string]) => T) =>
    Object.fromEntries(Object.entries(told).map(([about, one]) => [about, pick(one)]));
  const said = Object.fromEntries(
    Object.entries(told).flatMap(([about, one]) => (one.said ? [[about, one.said]] : [])),
  );
  return {
    ...{ code, absent: of(({ rows }) => rows), first: of(({ first }) => first) },
    ...(Object.keys(said).length > 0 && { said }),
  };
}

const rowsSchema = objectOf('BatchRows', {
  total: nullable(Type.Integer({ description: 'Null until the files were looked at.' })),
  processed: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer({ description: 'Left out of the result; GET …/errors says why.' }),
});

/** How many batches are told that hold corrected rows of one. */
export const correctionsMax = 20;

export const batchSchema = answerOf('Batch', batchExample, {
  id: Type.String(),
  status: Type.String({ enum: ['queued', 'running', 'succeeded', 'failed'] }),
  model: nullable(
    objectOf('BatchModel', { model_id: Type.String(), alias: nullable(Type.String()), version_id: Type.String() }),
  ),
  snapshot_id: Type.String({ description: 'The data that every row is scored with.' }),
  reference_date: nullable(Type.String()),
  as_of: Type.String({ description: 'The moment asked about where a row names no day.' }),
  batches_before: nullable(
    Type.Integer({
      minimum: 0,
      description:
        'Of a queued batch: batches of the workspace whose files are looked at before its own, of which two are at a time.',
    }),
  ),
  waits_for: waitsForSchema,
  start_eta: startEtaSchema,
  priority: Type.Integer(),
  output_format: nullable(Type.String({ description: 'Null: that of each input.' })),
  metadata: Type.Unknown(),
  include: Type.Array(Type.String({ enum: [...includable] })),
  language: Type.String({ enum: ['en', 'pt-BR'], description: 'Of the sentences of the result.' }),
  reference_column: nullable(
    Type.String({ description: 'The column of the files that stands in each row of the result as reference_id.' }),
  ),
  column_mapping: Type.Record(Type.String(), Type.String(), {
    description: 'The columns of the files that inputs are read from, by input, where these have other names.',
  }),
  csv_formulas: Type.String({
    enum: [...csvFormulas],
    description: 'What CSV results do with texts that a spreadsheet would run as formulas.',
  }),
  csv_dialect: Type.String({ enum: [...csvDialects], description: 'How CSV results are written.' }),
  progress: objectOf('BatchProgress', {
    rows: rowsSchema,
    fraction: Type.Number({ minimum: 0, maximum: 1 }),
    eta: nullable(Type.String({ description: 'When it will have finished, as far as can be told.' })),
  }),
  files: Type.Array(
    objectOf('BatchFile', {
      file_id: Type.String(),
      path: Type.String(),
      output_path: nullable(Type.String()),
      rows: rowsSchema,
      failure: nullable(failureSchema),
    }),
  ),
  warnings: Type.Array(
    objectOf('BatchWarning', {
      code: Type.String(),
      file_id: Type.String(),
      path: Type.String(),
      message: Type.String(),
      values: messageValuesSchema(
        'What the message names, by the code: to say it in other words. Of rows: what it is `about` (a condition also in words, `about_en` and `about_pt-BR`), how many `rows`, of how many `answered`.',
      ),
      first_rows: Type.Optional(
        Type.Array(Type.Integer(), {
          description:
            'Of rows: the numbers of the first of them in their file, from 1 and without a header. `include: ["warnings"]` has a column in the result that tells all.',
        }),
      ),
    }),
  ),
  failure: nullable(failureSchema),
  corrects: nullable(
    Type.String({ description: 'The batch whose rows this one has corrected: those that it left out, or warned of.' }),
  ),
  corrected_by: Type.Array(
    objectOf('BatchCorrection', {
      id: Type.String(),
      status: Type.String({ enum: ['queued', 'running', 'succeeded', 'failed'] }),
      rows: objectOf('BatchCorrectionRows', {
        total: nullable(Type.Integer({ description: 'Null until the files were looked at.' })),
        succeeded: Type.Integer(),
      }),
    }),
    { description: `Batches with corrected rows of this one, newest first; at most ${correctionsMax}.` },
  ),
  created_at: Type.String(),
  started_at: nullable(Type.String()),
  interrupt_requested_at: nullable(Type.String()),
  finished_at: nullable(Type.String()),
  result_deleted_at: nullable(Type.String()),
});

/** A batch with corrected rows of another one. */
export type Correction = {
  readonly id: string;
  readonly corrects: string | null;
  readonly status: string;
  readonly total: number | null;
  readonly succeeded: number;
};

/** How many rows of a file have succeeded and failed. */
export type Counts = { readonly position: number; readonly succeeded: number; readonly failed: number };

/** Below this fraction the time left cannot be estimated. */
const etaFromFraction = 0.02;

type About = {
  readonly files: readonly BatchFileRow[];
  readonly counts: readonly Counts[];
  readonly corrections: readonly Correction[];
};

export function presentBatch(row: InTurn<BatchRow>, { files, counts, corrections }: About) {
  const perFile = files.map((file) => rowsOf(file, counts));
  const rows = totalOf(perFile);
  const fraction = row.status === 'succeeded' ? 1 : fractionOf(rows);
  return {
    id: row.id,
    status: row.status,
    model: row.model as BatchModel | null,
    snapshot_id: row.snapshot_id,
    reference_date: row.reference_date,
    as_of: row.as_of.toISOString(),
    batches_before: row.turn?.before ?? null,
    waits_for: waitsFor(row, null, batchesPerWorkspace),
    start_eta: startEta(row, batchesPerWorkspace),
    priority: row.priority,
    output_format: row.output_format,
    metadata: row.metadata,
    include: row.include,
    language: row.language,
    reference_column: row.reference_column,
    column_mapping: row.column_mapping as ColumnMapping,
    csv_formulas: row.csv_formulas,
    csv_dialect: row.csv_dialect,
    progress: { rows, fraction, eta: etaOf(row, fraction) },
    files: files.map((file, index) => ({
      file_id: file.file_id,
      path: file.path,
      output_path: file.output_path,
      rows: perFile[index],
      failure: file.failure as JobFailure | null,
    })),
    warnings: files.flatMap(({ file_id, path, warnings }, index) =>
      (warnings as Warning[]).flatMap((warning) =>
        saidOf(warning, path, perFile[index].succeeded).map((said) => ({
          ...{ code: warning.code, file_id, path },
          ...said,
        })),
      ),
    ),
    failure: row.failure as JobFailure | null,
    corrects: row.corrects,
    corrected_by: corrections.map(({ id, status, total, succeeded }) => ({ id, status, rows: { total, succeeded } })),
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    interrupt_requested_at: row.interrupt_requested_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    result_deleted_at: row.result_deleted_at?.toISOString() ?? null,
  };
}

type Said = {
  readonly message: string;
  readonly values?: MessageValues;
  readonly first_rows?: readonly number[];
};

/** What a warning says of a file, of which so many rows were answered: a sentence for each thing that it is about. */
export function saidOf(warning: Warning, path: string, answered: number): Said[] {
  if ('absent' in warning)
    return describeRows(warning.code, tellingOf(warning), answered).map(({ message, values, first }) => ({
      ...{ message: `${path}: ${message}`, values, ...(first.length > 0 && { first_rows: first }) },
    }));
  const { message, values } = warning;
  return [{ message, ...(values && { values }) }];
}

type RowCounts = {
  readonly total: number | null;
  readonly processed: number;
  readonly succeeded: number;
  readonly failed: number;
};

function rowsOf({ position, rows }: BatchFileRow, counts: readonly Counts[]): RowCounts {
  const { succeeded, failed } = counts.find((known) => known.position === position) ?? { succeeded: 0, failed: 0 };
  const processed = succeeded + failed;
  // For text files, planning counted lines, which may be fewer than the rows then scored.
  return { total: rows === null ? null : Math.max(rows, processed), processed, succeeded, failed };
}

function totalOf(files: readonly RowCounts[]): RowCounts {
  const sum = (pick: (rows: RowCounts) => number) => files.reduce((total, rows) => total + pick(rows), 0);
  return {
    total: files.every(({ total }) => total === null) ? null : sum(({ total }) => total ?? 0),
    processed: sum(({ processed }) => processed),
    succeeded: sum(({ succeeded }) => succeeded),
    failed: sum(({ failed }) => failed),
  };
}

function fractionOf({ total, processed }: RowCounts): number {
  return total === null || total === 0 ? 0 : processed / total;
}

function etaOf({ status, started_at }: BatchRow, fraction: number): string | null {
  if (status !== 'running' || started_at === null || fraction < etaFromFraction) return null;
  const started = started_at.getTime();
  return new Date(started + (Date.now() - started) / fraction).toISOString();
}
