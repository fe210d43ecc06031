import { basename } from 'node:path';
import { Failure } from '../lib/failure.ts';
import type { Rows } from '../lib/files/column.ts';
import type { CsvOptions } from '../lib/files/csv-dialect.ts';
import { type Chunk, describeFile, type FileDescription } from '../lib/files/read.ts';
import { wallClock } from '../lib/time-zone.ts';
import { microsecondsPerDay } from '../ml/contract/contract.ts';
import { dateFormOf, sayDayForm } from '../ml/contract/date-form-of.ts';
import { sayNotice } from '../ml/contract/notices.ts';
import { openGraphModel } from '../ml/gfm-link/reading.ts';
import { loadTables } from '../ml/graph/load.ts';
import { cellsMaxUsual, type Sampler } from '../ml/graph/sample.ts';
import { type OpenVersion, openVersion } from '../ml/inference/predict.ts';
import { parseDay } from '../ml/tasks/target.ts';
import { describeMissing, lackingInputs, missingInputs } from '../ml/version/input-requests.ts';
import { type ColumnMapping, dayColumnOf, mapInputs, namesOf } from '../ml/version/other-names.ts';
import { echoed } from '../ml/version/schema.ts';
import type { Version } from '../ml/version/version.ts';
import { eventDaysOf } from '../serving/event-days.ts';
import { factorsTold, type Wishes } from '../serving/options.ts';
import { withInstants } from '../serving/rows/answers.ts';
import { lackingColumns } from '../serving/rows/column-mapping.ts';
import { columnsIn } from '../serving/rows/inputs.ts';
import { addRowWarnings, describeRows, type RowWarningCode, type RowWarnings } from '../serving/rows/row-warnings.ts';
import { openScorer, type Scored, type Scorer } from '../serving/rows/score.ts';
import { readArguments, readCellsMax, type Usage } from './arguments.ts';
import { readMapping, requireMapping } from './column-mapping.ts';
import { readVersionOver } from './dataset.ts';
import { isWholeInPart, planParts } from './parts.ts';
import { openProgress, type ProgressLine } from './progress.ts';
import { requireDialect, requireFormat, requireFormulas, type Target, writeRows } from './write-rows.ts';

export const predictUsage = {
  usage:
    'predict <version folder> --data <folder> --in rows.parquet --out scored.parquet [--reference-date D] [--factors N] [--language en|pt-BR] [--interval] [--warnings] [--column-mapping input=column,…] [--csv-formulas escape|raw] [--csv-dialect standard|excel_semicolon] [--max-cells <number>] [--gfm <graph model>]',
  about: `Predicts every row of a file with a version, in order. Rows that cannot be read, or hold a value that does not
convert, are not guessed at: they go to <out>.rejects.csv with the reason.

  <version folder>  what fit wrote
  --data            the folder of tables to read, under the contract of the version
  --in              rows to predict (CSV, Parquet, JSONL); model.md in the version folder names the columns
  --out             the answers, .parquet, .csv or .jsonl
  --reference-date  predict as of the end of this day, where a row names none; now by default
  --factors         how many reasons each answer comes with, 0 to 50; 4 by default
  --language        of the reasons, en or pt-BR
  --interval        a column interval says how sure each answer is, as JSON by field
  --warnings        a column warnings says by code what there is to say of each row: an unknown entity, stale data
  --column-mapping  columns of the file that inputs are read from where it calls them otherwise: document=CNPJ, several
                    with commas between them, or a JSON object
  --csv-formulas    escape (the default) puts an apostrophe before texts of CSV that a spreadsheet would run; raw does not
  --csv-dialect     excel_semicolon writes CSV with semicolons and decimal commas, as Excel opens it in Portuguese
  --max-cells       rows times columns of all tables together, 75000000 by default. Larger tables are read in parts, each
                    with what the next rows of the file are about: rows of one entity are best side by side
  --gfm             the graph model that the version was learned with, where it reads one`,
  positionals: 1,
  options: {
    data: 'value',
    in: 'value',
    out: 'value',
    'reference-date': 'value',
    factors: 'value',
    language: 'value',
    interval: 'flag',
    warnings: 'flag',
    'column-mapping': 'value',
    'csv-formulas': 'value',
    'csv-dialect': 'value',
    'max-cells': 'value',
    gfm: 'value',
  },
  required: ['data', 'in', 'out'],
} as const satisfies Usage;

/** Predicts every row of a file with a version, over the tables of a folder. */
export async function predictCommand(args: readonly string[], log: (line: string) => void): Promise<number> {
  const { words, values } = readArguments(args, predictUsage);
  const progress = openProgress(log);
  const language = values.language ?? 'en';
  if (language !== 'en' && language !== 'pt-BR')
    throw new Failure('invalid', `--language must be en or pt-BR, not ${language}`);
  const factors = values.factors === undefined ? factorsTold : Number(values.factors);
  if (!Number.isInteger(factors) || factors < 0 || factors > 50)
    throw new Failure('invalid', `--factors must be a whole number from 0 to 50, not ${values.factors}`);
  const csv = {
    formulas: requireFormulas(values['csv-formulas']),
    dialect: requireDialect(values['csv-dialect']),
  };
  const columnMapping = readMapping(values['column-mapping']);
  const now = Date.now();
  const asOf = endOfReferenceDate(values['reference-date'], now);
  const summary = await predictFile(
    words[0],
    values.data!,
    values.in!,
    values.out!,
    {
      ...{ now, asOf, factors, language, interval: values.interval !== undefined },
      ...{ csv, columnMapping, gfm: values.gfm, warnings: values.warnings !== undefined },
      cellsMax: readCellsMax(values['max-cells']),
    },
    progress,
  );
  progress.say(`${summary.rows} rows predicted, ${summary.rejected} rejected; wrote ${values.out}`);
  return 0;
}

/** Returns the last microsecond of the day of --reference-date; null without one. Throws Failure 'invalid'. */
export function endOfReferenceDate(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  const day = parseDay(text);
  if (Number.isNaN(day)) throw new Failure('invalid', `--reference-date must be a day such as 2025-12-31, not ${text}`);
  if (day > now * 1000) throw new Failure('invalid', `--reference-date ${text} lies in the future`);
  return day + microsecondsPerDay - 1;
}

type ScoreOptions = Wishes & {
  /** Whether answers say by code what there is to say of their rows. */
  readonly warnings?: boolean;
  /** The columns of the file that inputs are read from, where they are not called as these are. */
  readonly columnMapping?: ColumnMapping;
  /** How CSV is written: by default with `escape`. */
  readonly csv?: CsvOptions;
  /** The current instant in milliseconds. No row may ask about a later one. */
  readonly now: number;
  /** The as-of moment of rows that name no day, in microseconds of the data's local time; null for now. */
  readonly asOf: number | null;
  /**
   * The time zone of the data. Without it their clocks are asked about as UTC's, and `as_of` is written without a zone.
   */
  readonly timeZone?: string;
};

/**
 * Predicts the rows of a file with a version and writes them to a file, in order, as a stream. Rejected rows are
 * written to `<out>.rejects.csv` with the reason. `gfm`: the folder of the graph model that the version reads. Tables
 * of more than `cellsMax` cells are read in parts where the version allows it.
 */
export async function predictFile(
  versionFolder: string,
  data: string,
  from: string,
  to: string,
  options: ScoreOptions & { readonly gfm?: string | undefined; readonly cellsMax?: number | undefined },
  progress: ProgressLine,
): Promise<{ rows: number; rejected: number }> {
  const version = readVersionOver(versionFolder, data);
  const { columnMapping: mapping = {} } = options;
  requireMapping(mapping, version.inputFields);
  const mapped = { ...version, inputFields: mapInputs(version.inputFields, mapping) };
  const source = await openSource(mapped, from, to, options.asOf !== null, progress);
  const say = (line: string) => progress.say(line);
  const model = options.gfm === undefined ? undefined : await openGraphModel(options.gfm);
  const warned = new Set<string>();
  const open = async (sampler?: Sampler): Promise<OverTables> => {
    const { tables, report } = await loadTables(data, version.contract, say, options.now * 1000, sampler);
    // Parts are of the same files.
    for (const warning of report.warnings.map(sayNotice)) if (!warned.has(warning)) say(`warning: ${warning}`);
    for (const warning of report.warnings) warned.add(sayNotice(warning));
    return { opened: await openVersion(versionFolder, tables, { version, model }), times: sampler?.times() ?? [] };
  };
  const parts = await planParts(
    mapped,
    data,
    from,
    columnsIn(source.description),
    options.cellsMax ?? cellsMaxUsual.scored,
  );
  const first = parts?.first();
  // Held by nothing else, so that one part has gone when the next one comes.
  let over: OverTables | null = await open(first);
  const isInParts = first !== undefined && isWholeInPart(over.opened, first);
  const reopen = async (sampler?: Sampler): Promise<void> => {
    over?.opened.close();
    over = null;
    over = await open(sampler);
  };
  if (first && !isInParts) {
    progress.say('warning: the tables are large, and are read whole, as the version reads what many rows share');
    await reopen();
  }
  const reading: Reading = {
    over: () => over!,
    moveOn(rows) {
      const next = isInParts ? parts!.nextFor(rows) : null;
      return next && (() => reopen(next));
    },
  };
  try {
    return await scoreFile(reading, source, options, progress);
  } finally {
    over?.opened.close();
  }
}

/**
 * A version over tables. `times`: moments of rows of tables that were not read, which tell too how old the data are.
 */
type OverTables = { readonly opened: OpenVersion; readonly times: readonly { readonly time: Float64Array }[] };

/** The tables that rows are scored over, of which there may be one part after the other. */
type Reading = {
  over(): OverTables;
  /** Opens other tables where these rows are about what the present ones have not; null where they have it. */
  moveOn(rows: Rows): (() => Promise<void>) | null;
};

/** A file to score, and the file to write to. */
type Source = Omit<Target, 'csv'> & { readonly description: FileDescription };

/**
 * Checks a file before anything slow starts. `isDayGiven`: whether the caller names the day of all rows. Throws Failure
 * 'invalid' when the version cannot score it, or when the output cannot be written.
 */
export async function openSource(
  version: Version,
  from: string,
  to: string,
  isDayGiven: boolean,
  progress: ProgressLine,
): Promise<Source> {
  const format = requireFormat(from, to);
  const description = await describeFile(from);
  const { isSeen: has } = columnsIn(description);
  const unmapped = description.format === 'jsonl' ? [] : lackingColumns(version.inputFields, has);
  if (unmapped.length > 0)
    throw new Failure('invalid', `the file lacks ${unmapped.join(', ')}, named in --column-mapping`);
  const lacking = lackingInputs(version.inputFields, has, isDayGiven);
  if (lacking.length > 0) throw new Failure('invalid', `the file lacks ${lacking.join(', ')}, which the model needs`);
  for (const input of missingInputs(version.inputFields, has)) progress.say(`warning: ${describeMissing(input)}`);
  for (const warning of description.warnings) progress.say(`warning: ${sayNotice(warning)}`);
  const known = [...version.inputFields.flatMap(namesOf), ...echoed];
  const read = new Set(known.map((name) => name.toLowerCase()));
  const unread = description.columns.map(({ name }) => name).filter((name) => !read.has(name.toLowerCase()));
  if (unread.length > 0) progress.say(`warning: columns not read: ${unread.join(', ')}`);
  return { from, to, format, description };
}

/** Scores a file that `openSource` has checked. */
export async function scoreFile(
  reading: Reading,
  { description, ...target }: Source,
  options: ScoreOptions,
  progress: ProgressLine,
): Promise<{ rows: number; rejected: number }> {
  const { now, timeZone } = options;
  const asOf = options.asOf ?? wallClock(timeZone ?? 'UTC', now) * 1000;
  const file = columnsIn(description);
  const dayColumn = dayColumnOf(options.columnMapping);
  const { tables } = reading.over().opened.version.contract;
  const dayForm = file.has(dayColumn) ? await dateFormOf(target.from, dayColumn, tables, basename) : undefined;
  if (dayForm) progress.say(`warning: ${sayDayForm(dayForm)}`);
  const openOver = ({ opened, times }: OverTables): Scorer =>
    openScorer(
      {
        ...options,
        timeZone: timeZone ?? 'UTC',
        // A row that names no day may have a later event time than this as-of moment. It may read data up to its own
        // time.
        usual: { asOf, dataUntil: Number.POSITIVE_INFINITY },
        isDayGiven: options.asOf !== null,
        dayForm: dayForm?.form,
        eventDays: eventDaysOf([...opened.tables.values(), ...times]),
        ...{ targets: [{ opened, told: {} }], endpoints: null, fallback: 0 },
        ...(options.warnings && { rowWarnings: target.format === 'csv' ? 'joined' : 'json' }),
      },
      file,
    );
  let scorer: Scorer | null = openOver(reading.over());
  const { requests } = scorer;
  const columns = scorer.columns.map((column) =>
    timeZone === undefined && column.name === 'as_of' ? { ...column, isLocal: true as const } : column,
  );
  let warnings: RowWarnings = {};
  const answer = async (chunk: Chunk): Promise<Scored> => {
    const moveOn = reading.moveOn(chunk.rows);
    if (moveOn) {
      scorer = null;
      await moveOn();
    }
    scorer ??= openOver(reading.over());
    const { warnings: own, ...scored } = scorer.score(chunk);
    warnings = addRowWarnings(warnings, own);
    // In UTC, the local time of the data equals the instant, to the microsecond.
    return timeZone === undefined || timeZone === 'UTC'
      ? scored
      : { ...scored, rows: withInstants(scored.rows, timeZone) };
  };
  const csv = options.csv ?? { formulas: 'escape' };
  const written = await writeRows({ ...target, csv, requests, columns }, progress, answer);
  for (const [code, counts] of Object.entries(warnings))
    for (const { message } of describeRows(code as RowWarningCode, counts, written.rows))
      progress.say(`warning: ${message}`);
  return written;
}
