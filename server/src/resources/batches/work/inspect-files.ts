import { Failure } from '../../../lib/failure.ts';
import { type Compression, readBlocks } from '../../../lib/files/bytes.ts';
import type { FileNotice } from '../../../lib/files/notices.ts';
import { describeFile, readChunks } from '../../../lib/files/read.ts';
import type { TaskContext } from '../../../lib/processes/serve.ts';
import { dateFormOf, type FoundForm } from '../../../ml/contract/date-form-of.ts';
import { parseStoredContract } from '../../../ml/contract/parse.ts';
import { type OtherNames, otherNamesOf } from '../../../ml/version/other-names.ts';
import { endpointColumn } from '../../../serving/rows/targets.ts';
import type { OutputFormat } from '../batch.ts';

export type InspectTask = {
  /** Local files, and their names in messages. */
  readonly files: readonly { readonly path: string; readonly name: string }[];
  /** The contract of the data that the rows are scored with. */
  readonly contract: string;
  /** The column of the days of rows. */
  readonly dayColumn: string;
  /** The values that a column `endpoint` may have. */
  readonly targets: readonly string[];
};

export type FilePlan =
  | {
      readonly kind: 'readable';
      readonly format: OutputFormat;
      readonly columns: readonly string[];
      /** Under which other names the file may have columns of the tables. */
      readonly otherNames: OtherNames;
      /** For text files this counts lines without parsing, so unusual quotes can make it inexact. */
      readonly rows: number;
      /** The rows of the largest row group; null for formats other than Parquet. */
      readonly rowGroupRowsMax: number | null;
      /** The targets that rows name, in the task's order; null when the file has no column for them. */
      readonly endpoints: readonly string[] | null;
      /** Whether a row names no target. */
      readonly namesNone: boolean;
      /** How the file writes the days of rows; null where as ISO 8601 does, or where it has none. */
      readonly dayForm: FoundForm | null;
      readonly warnings: readonly FileNotice[];
    }
  | { readonly kind: 'unreadable'; readonly detail: string };

/** Inspects each file of a batch: its format, columns, number of rows, and the targets that its rows name. */
export async function inspectFiles(
  { files, contract, dayColumn, targets }: InspectTask,
  { signal }: TaskContext<never>,
): Promise<FilePlan[]> {
  const plans: FilePlan[] = [];
  const { tables } = parseStoredContract(contract, 'the contract of the snapshot');
  const otherNames = otherNamesOf(tables);
  for (const { path, name } of files) {
    signal.throwIfAborted();
    try {
      const dayForm = (await dateFormOf(path, dayColumn, tables, () => name)) ?? null;
      plans.push({ ...(await inspectFile(path, name, targets, signal)), dayForm, otherNames });
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'not_found') throw error;
      plans.push({ kind: 'unreadable', detail: error.message });
    }
  }
  return plans;
}

async function inspectFile(
  path: string,
  name: string,
  targets: readonly string[],
  signal: AbortSignal,
): Promise<Omit<Extract<FilePlan, { kind: 'readable' }>, 'dayForm' | 'otherNames'>> {
  const description = await describeFile(path, { nameOf: () => name });
  const { format, compression, columns, rowGroupRowsMax, warnings } = description;
  const lines =
    description.rows === undefined ? await countLines(path, name, compression, format === 'csv', signal) : null;
  const hasEndpoints =
    columns.some((column) => column.name.toLowerCase() === endpointColumn) || (lines?.mentionsEndpoint ?? false);
  const named = hasEndpoints ? await namedTargets(path, name, new Set(targets), signal) : null;
  return {
    kind: 'readable',
    format,
    columns: columns.map((column) => column.name),
    rows: description.rows ?? lines!.rows,
    rowGroupRowsMax: rowGroupRowsMax ?? null,
    endpoints: named && targets.filter((target) => named.names.has(target)),
    namesNone: named === null || named.hasMissing,
    warnings,
  };
}

const newline = 10;
const carriageReturn = 13;
const quote = 34;
const endpointKey = Buffer.from(`"${endpointColumn}"`);

/** Counts the non-blank lines of a text file without the header of CSV. A line break within CSV quotes ends no line. */
async function countLines(
  path: string,
  name: string,
  compression: Compression,
  isCsv: boolean,
  signal: AbortSignal,
): Promise<{ rows: number; mentionsEndpoint: boolean }> {
  let lines = 0;
  let isQuoted = false;
  let isBlank = true;
  let mentionsEndpoint = false;
  for await (const block of readBlocks(path, compression, name)) {
    signal.throwIfAborted();
    // In JSONL the key may first appear after the lines from which the columns were read.
    if (!isCsv) mentionsEndpoint ||= block.includes(endpointKey);
    for (let at = 0; at < block.length; at++) {
      const byte = block[at];
      if (byte === newline && !isQuoted) {
        if (!isBlank) lines++;
        isBlank = true;
      } else if (byte !== carriageReturn) {
        isBlank = false;
        if (byte === quote && isCsv) isQuoted = !isQuoted;
      }
    }
  }
  if (!isBlank) lines++;
  return { rows: Math.max(0, isCsv ? lines - 1 : lines), mentionsEndpoint };
}

async function namedTargets(
  path: string,
  name: string,
  targets: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<{ names: Set<string>; hasMissing: boolean }> {
  const names = new Set<string>();
  let hasMissing = false;
  const requests = [{ name: endpointColumn, type: 'string' as const }];
  for await (const { rows } of readChunks(path, requests, { nameOf: () => name })) {
    signal.throwIfAborted();
    const column = rows.columns.get(endpointColumn)!;
    if (column.kind !== 'text') continue;
    hasMissing ||= column.codes.includes(-1);
    for (const text of column.dictionary) if (targets.has(text)) names.add(text);
  }
  return { names, hasMissing };
}
