import { open, rm, stat } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { Failure } from '../../lib/failure.ts';
import { type Compression, readBlocks } from '../../lib/files/bytes.ts';
import { describeFile, type FileDescription, readChunks } from '../../lib/files/read.ts';
import type { RowRange } from '../../lib/files/source.ts';
import { openWriter } from '../../lib/files/write.ts';
import type { WriteColumn } from '../../lib/files/writer.ts';
import type { TaskContext } from '../../lib/processes/serve.ts';
import { type OpenGraphModel, openGraphModel } from '../../ml/gfm-link/reading.ts';
import type { Tables } from '../../ml/graph/tables.ts';
import { type OpenVersion, openVersion } from '../../ml/inference/predict.ts';
import { openTables } from '../../ml/lake/open.ts';
import type { OutputFormat } from './batch.ts';
import type { RowError } from './scoring/row-error.ts';
import { openScorer, type ScoreOptions } from './scoring/score.ts';
import { endpointColumn } from './scoring/targets.ts';
import { openPart } from './scoring/write-part.ts';

export type PlanTask = {
  /** Local files, and what messages call them. */
  readonly files: readonly { readonly path: string; readonly name: string }[];
  /** What a column `endpoint` may say. */
  readonly targets: readonly string[];
};

export type FilePlan =
  | {
      readonly kind: 'readable';
      readonly format: OutputFormat;
      readonly columns: readonly string[];
      /** Lines are counted, not read: of a text file this may be off by what its quotes hide. */
      readonly rows: number;
      /** Of Parquet. */
      readonly rowGroupRowsMax: number | null;
      /** The targets that rows name, in the order of the task's; null where the file has no column for them. */
      readonly endpoints: readonly string[] | null;
      /** Whether some row names no target. */
      readonly namesNone: boolean;
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'unreadable'; readonly detail: string };

/** Looks at each file of a batch: what it is, its columns, how many rows, and which targets they name. */
export async function planBatch({ files, targets }: PlanTask, { signal }: TaskContext<never>): Promise<FilePlan[]> {
  const plans: FilePlan[] = [];
  for (const { path, name } of files) {
    signal.throwIfAborted();
    try {
      plans.push(await planFile(path, name, targets, signal));
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'not_found') throw error;
      plans.push({ kind: 'unreadable', detail: error.message });
    }
  }
  return plans;
}

async function planFile(
  path: string,
  name: string,
  targets: readonly string[],
  signal: AbortSignal,
): Promise<FilePlan> {
  const description = await describeFile(path, { nameOf: () => name });
  const { format, compression, columns, rowGroupRowsMax, warnings } = description;
  const lines =
    description.rows === undefined ? await countLines(path, name, compression, format === 'csv', signal) : null;
  const hasEndpoints = has(description, endpointColumn) || (lines?.mentionsEndpoint ?? false);
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

function has({ columns }: FileDescription, name: string): boolean {
  return columns.some((column) => column.name.toLowerCase() === name.toLowerCase());
}

const newline = 10;
const carriageReturn = 13;
const quote = 34;
const endpointKey = Buffer.from(`"${endpointColumn}"`);

/** Counts the lines of a text file that hold something, less the header of CSV; a line break in quotes ends no line. */
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
    // A key may appear in JSONL after the lines that were looked at.
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

export type ScoreTask = Omit<ScoreOptions, 'targets'> & {
  /** The local file, and what messages call it. */
  readonly path: string;
  readonly name: string;
  /** The rows to score; all where null. */
  readonly range: RowRange | null;
  /** The frozen tables that versions read, the dictionary of the names in them, and what to call both. */
  readonly data: { readonly id: string; readonly frozen: string; readonly identifiers: string | null };
  readonly targets: readonly {
    readonly modelId: string;
    readonly versionId: string;
    readonly folder: string;
    /** The version of the graph model that it reads, and its local folder. */
    readonly graphModel: { readonly id: string; readonly folder: string } | null;
  }[];
  /** Files to write: answers, and reasons as JSONL. */
  readonly out: string;
  readonly format: OutputFormat;
  readonly errors: string;
};

export type ScoreProgress = { readonly succeeded: number; readonly failed: number };

export type ScoreResult = ScoreProgress & {
  /** Bytes of a CSV file before its first row. */
  readonly headerBytes: number;
  /** False where it was stopped on the way: what was scored until then is in the files. */
  readonly isWhole: boolean;
};

/** Rows scored at a time: what is read and computed for so many stays in a near cache and in little memory. */
const rowsPerChunk = 16_384;

/** The chunks of a file; damage that shows only on the way is the file's. */
async function* readRows(...asked: Parameters<typeof readChunks>): ReturnType<typeof readChunks> {
  try {
    yield* readChunks(...asked);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid') throw error;
    throw new Failure('invalid', error.message, { reason: 'file_unreadable', cause: error });
  }
}

/** Scores rows of a file in order into a file of answers and one of reasons. The same task writes the same bytes. */
export async function scoreUnit(
  task: ScoreTask,
  { progress, signal }: TaskContext<ScoreProgress>,
): Promise<ScoreResult> {
  const { path, range, out, format } = task;
  const nameOf = () => task.name;
  const description = await describeFile(path, { nameOf });
  const targets = await openTargets(task);
  const isOpen = description.format === 'jsonl';
  const scorer = openScorer({ ...task, targets }, (column) => isOpen || has(description, column));
  const writer = await openPart(out, format, scorer.columns);
  const errors = await openErrors(task.errors);
  let succeeded = 0;
  let failed = 0;
  let isWhole = true;
  try {
    const options = { nameOf, rowsPerChunk, keepsRejects: true, takesFloats: true, ...(range ? { range } : {}) };
    for await (const chunk of readRows(path, scorer.requests, options)) {
      const scored = scorer.score(chunk);
      if (scored.rows.rows > 0) await writer.write(scored.rows);
      if (scored.errors.length > 0) await errors.write(scored.errors);
      succeeded += scored.rows.rows;
      failed += scored.failed;
      progress({ succeeded, failed });
      // A request to stop is heard between turns.
      await turn();
      isWhole = !signal.aborted;
      if (!isWhole) break;
    }
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  } finally {
    await errors.close();
  }
  return { succeeded, failed, isWhole, headerBytes: format === 'csv' ? await headerBytes(out, scorer.columns) : 0 };
}

async function openErrors(path: string) {
  const file = await open(path, 'w');
  return {
    write: (errors: readonly RowError[]) =>
      file.writeFile(`${errors.map((error) => JSON.stringify(error)).join('\n')}\n`),
    close: () => file.close(),
  };
}

/** What the writer puts before the first row, measured on a file without rows. */
async function headerBytes(out: string, columns: readonly WriteColumn[]): Promise<number> {
  const path = `${out}.header`;
  const writer = await openWriter(path, 'csv', columns);
  await writer.close();
  const { size } = await stat(path);
  await rm(path);
  return size;
}

type Warm = { readonly id: string; readonly tables: Tables; readonly versions: Map<string, OpenVersion> };

/** What this process keeps warm between units: they mostly come from one batch. */
let warm: Warm | null = null;
const versionsKeptMax = 16;

async function openTargets({ data, targets }: ScoreTask) {
  if (warm?.id !== data.id) {
    for (const version of warm?.versions.values() ?? []) version.close();
    // Let go of before the next are read: both together may not fit.
    warm = null;
    warm = { id: data.id, tables: await openTables(data.frozen, data.identifiers), versions: new Map() };
  }
  const { tables, versions } = warm;
  const opened = [];
  for (const { modelId, versionId, folder, graphModel } of targets) {
    const known =
      versions.get(versionId) ??
      (await openVersion(folder, tables, { model: graphModel ? await warmGraphModel(graphModel) : undefined }));
    versions.delete(versionId);
    versions.set(versionId, known);
    opened.push({ modelId, versionId, opened: known });
  }
  for (const [id, version] of versions) {
    if (versions.size <= Math.max(versionsKeptMax, targets.length)) break;
    versions.delete(id);
    version.close();
  }
  return opened;
}

/** What this process keeps of graph models, the same for every workspace; the one read last comes last. */
const warmGraphModels = new Map<string, OpenGraphModel>();
const graphModelsKeptMax = 2;

async function warmGraphModel({
  id,
  folder,
}: {
  readonly id: string;
  readonly folder: string;
}): Promise<OpenGraphModel> {
  const known = warmGraphModels.get(id) ?? (await openGraphModel(folder));
  warmGraphModels.delete(id);
  warmGraphModels.set(id, known);
  if (warmGraphModels.size > graphModelsKeptMax) warmGraphModels.delete(warmGraphModels.keys().next().value!);
  return known;
}
