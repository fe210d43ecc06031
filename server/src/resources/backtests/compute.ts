import { createReadStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as turn } from 'node:timers/promises';
import type { TaskContext } from '../../lib/processes/serve.ts';
import {
  type AnswerKind,
  type AnswersCompared,
  type Cutoff,
  compareAnswers,
} from '../../ml/evaluation/compare-answers.ts';
import { metricsOfKind } from '../../ml/evaluation/measure.ts';
import { labelByTables } from '../../ml/evaluation/read-labels.ts';
import type { OpenVersion } from '../../ml/inference/predict.ts';
import { evaluateMetric, type MetricName } from '../../ml/statistics/metrics.ts';
import { readableUntil } from '../../serving/as-of.ts';
import { type TargetsTask, useTargets } from '../batches/scoring/open-targets.ts';
import { writeColumns } from '../prediction-columns/compute.ts';
import type { LogPiece } from '../prediction-columns/place.ts';
import { answerKindOf, type ReplayClock, type ReplayedChunk, replayLog } from '../prediction-columns/replay.ts';

export type ReplayTask = TargetsTask &
  ReplayClock & {
    /** The places of the version, and of the one to compare with, among the targets; null: what was answered. */
    readonly model: number;
    readonly compareWith: number | null;
    /** Pieces of the log by their number. */
    readonly pieces: readonly (LogPiece & { readonly number: number })[];
    /** Predictions with ids from the first to before the other. */
    readonly first: string;
    readonly until: string;
    /** Months, and the first id that each may have. */
    readonly months: readonly { readonly name: string; readonly first: string }[];
    /** A file of outcomes that were told, as `writeTold` writes it. */
    readonly told: string;
    /** Where the answers of each piece are written. */
    readonly folder: string;
  };

/** Rows that are done, of those of the task. */
export type ReplayProgress = { readonly rows: number };

/** A row whose answer moved, by what. */
export type Mover = { readonly prediction_id: string; readonly before: number; readonly after: number };

export type Replayed = {
  readonly answers: AnswerKind & { readonly field: string };
  readonly rows: number;
  /** Rows with both answers, by piece. */
  readonly pieces: readonly { readonly number: number; readonly rows: number }[];
  /** Rows by the version that answered them. */
  readonly versions: Readonly<Record<string, number>>;
  /** Rows that a version refuses, by reason and column. */
  readonly refused: readonly Refused[];
  readonly movers: readonly Mover[];
};

export type Refused = { readonly code: string; readonly column: string | null; readonly rows: number };

/** Rows that are told by their ids: those that moved most. */
const moversMax = 20;

/**
 * Answers pieces of a log anew, and writes into a file for each piece four lists of float64, one after the other: the
 * answers to compare with, those of the version, what was told of them or else the tables say by now (NaN: nothing
 * yet), and the places of their months.
 */
export function replayPieces(task: ReplayTask, { progress, signal }: TaskContext<ReplayProgress>): Promise<Replayed> {
  return useTargets(task, async (targets) => {
    const { opened } = targets[task.model];
    const other = task.compareWith === null ? null : targets[task.compareWith].opened;
    const tally = openTally();
    const told = await readTold(task.told, opened.version);
    const pieces: Paired[] = [];
    for (const piece of task.pieces) {
      const paired = new Paired(piece.number, told);
      for await (const chunk of readPiece(task, piece, other ? [opened, other] : [opened])) {
        paired.add(chunk, task, tally);
        progress({ rows: tally.rows });
        await turn();
        signal.throwIfAborted();
      }
      pieces.push(paired);
    }
    label(opened, pieces, readableUntil(task.timeZone, task.now));
    for (const piece of pieces) await writeFile(pathOf(task.folder, piece.number), piece.bytes());
    const { output: _, ...answers } = answerKindOf(opened.version);
    return {
      ...{ answers, rows: tally.rows, versions: Object.fromEntries(tally.versions) },
      pieces: pieces.map(({ number, rows }) => ({ number, rows })),
      refused: [...tally.refused.values()],
      movers: tally.movers.most(),
    };
  });
}

export type JudgeTask = {
  readonly answers: AnswerKind;
  readonly pieces: Replayed['pieces'];
  readonly folder: string;
  readonly months: readonly string[];
  readonly cutoff: Cutoff | null;
};

export type Judged = Omit<AnswersCompared, 'by_part'> & {
  readonly by_month: AnswersCompared['by_part'];
  /** What is known of the rows by now: how many have a label, their mean, and what each answer was worth on them. */
  readonly labelled: {
    readonly rows: number;
    readonly observed: number | null;
    readonly metrics: Readonly<Partial<Record<MetricName, { readonly before: number; readonly after: number }>>>;
  };
};

/** Compares the answers that `replayPieces` wrote, in the order of the log. */
export async function judgeBacktest({ answers, pieces, folder, months, cutoff }: JudgeTask): Promise<Judged> {
  const rows = pieces.reduce((sum, piece) => sum + piece.rows, 0);
  const [before, after, labels, of] = [0, 0, 0, 0].map(() => new Float64Array(rows));
  let at = 0;
  for (const piece of [...pieces].sort((a, b) => a.number - b.number)) {
    const bytes = await readFile(pathOf(folder, piece.number));
    const read = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    for (const [list, to] of [before, after, labels, of].entries())
      to.set(read.subarray(list * piece.rows, (list + 1) * piece.rows), at);
    at += piece.rows;
  }
  const parts = { names: months, of };
  const { by_part, ...compared } = compareAnswers(answers, { before, after, labels, parts }, cutoff);
  return {
    ...{ ...compared, by_month: by_part },
    labelled: measureLabelled(answers, before, after, labels),
  };
}

function measureLabelled(
  { objective }: AnswerKind,
  before: Float64Array,
  after: Float64Array,
  labels: Float64Array,
): Judged['labelled'] {
  const known = Array.from(labels.keys()).filter((row) => !Number.isNaN(labels[row]));
  const pick = (values: Float64Array) => Float64Array.from(known, (row) => values[row]);
  const own = pick(labels);
  const isClass = objective === 'multiclass';
  const observed = known.length === 0 || isClass ? null : own.reduce((sum, value) => sum + value, 0) / known.length;
  if (known.length === 0 || isClass) return { rows: known.length, observed, metrics: {} };
  const [a, b] = [pick(before), pick(after)];
  const metrics = metricsOfKind[objective].flatMap((name) => {
    const told = { before: evaluateMetric(name, own, a).value, after: evaluateMetric(name, own, b).value };
    return Number.isNaN(told.before) || Number.isNaN(told.after) ? [] : [[name, told] as const];
  });
  return { rows: known.length, observed, metrics: Object.fromEntries(metrics) };
}

async function* readPiece(
  { folder, timeZone, now }: ReplayTask,
  { path, format, range, number }: ReplayTask['pieces'][number],
  versions: readonly OpenVersion[],
): AsyncGenerator<ReplayedChunk> {
  if (format === 'columns') return yield* replayLog(path, range, versions, { timeZone, now });
  const out = join(folder, `lines-${number}.parquet`);
  await writeColumns({ path, out });
  yield* replayLog(out, null, versions, { timeZone, now });
  await rm(out);
}

/** Two answers to each row of a piece that has both. */
class Paired {
  readonly number: number;
  rows = 0;
  readonly labels: Float64Array[] = [];
  readonly chunks: { at: Float64Array; entities: Int32Array; told: Float64Array }[] = [];
  /** What was told, by prediction. */
  private readonly told: ReadonlyMap<string, number>;
  private readonly before: Float64Array[] = [];
  private readonly after: Float64Array[] = [];
  private readonly months: Float64Array[] = [];

  constructor(number: number, told: ReadonlyMap<string, number>) {
    this.number = number;
    this.told = told;
  }

  add(
    chunk: ReplayedChunk,
    { first, until, months }: Pick<ReplayTask, 'first' | 'until' | 'months'>,
    tally: Tally,
  ): void {
    const { ids, versions } = chunk;
    const isWithin = ids.dictionary.map((id) => id >= first && id < until);
    const monthOf = ids.dictionary.map((id) => months.findLastIndex((month) => month.first <= id));
    const counts = new Int32Array(versions.dictionary.length);
    for (let row = 0; row < chunk.rows; row++) {
      if (!isWithin[ids.codes[row]]) continue;
      counts[versions.codes[row]]++;
      tally.rows++;
    }
    for (const [code, count] of counts.entries()) if (count > 0) tally.countVersion(versions.dictionary[code], count);
    for (const one of chunk.refused) tally.refuse(one.code, one.column);
    const [own, other] = chunk.answers;
    const compared = other ? spread(other.rows, other.values, chunk.rows) : chunk.logged;
    const kept = own.rows.flatMap((row, k) =>
      isWithin[ids.codes[row]] && !Number.isNaN(compared[row]) ? [{ row, k }] : [],
    );
    const before = Float64Array.from(kept, ({ row }) => compared[row]);
    const after = Float64Array.from(kept, ({ k }) => own.values[k]);
    for (const [at, { row }] of kept.entries()) tally.movers.add(ids, row, before[at], after[at]);
    this.before.push(before);
    this.after.push(after);
    this.months.push(Float64Array.from(kept, ({ row }) => monthOf[ids.codes[row]]));
    this.chunks.push({
      at: Float64Array.from(kept, ({ k }) => own.at[k]),
      entities: Int32Array.from(kept, ({ k }) => own.entities[k]),
      told: Float64Array.from(kept, ({ row }) => this.told.get(ids.dictionary[ids.codes[row]]) ?? Number.NaN),
    });
    this.rows += kept.length;
  }

  bytes(): Uint8Array {
    return Buffer.concat(
      [...this.before, ...this.after, ...this.labels, ...this.months].map((part) =>
        Buffer.from(part.buffer, part.byteOffset, part.byteLength),
      ),
    );
  }
}

/** Reads what was told of the deciding output, by prediction: classes as their places. */
async function readTold(path: string, version: OpenVersion['version']): Promise<ReadonlyMap<string, number>> {
  const { field, classes } = answerKindOf(version);
  const told = new Map<string, number>();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const [prediction, output, value] = JSON.parse(line) as [string, string, number | string];
    const label = typeof value === 'string' ? classes.indexOf(value) : value;
    if (output === field && label !== -1) told.set(prediction, label);
  }
  return told;
}

/**
 * Labels the rows by what was told of them, or else from the tables as known by now, as far as the task can; of all
 * others nothing is known.
 */
function label(opened: OpenVersion, pieces: readonly Paired[], until: number): void {
  const chunks = pieces.flatMap((piece) => piece.chunks.map((chunk) => ({ piece, chunk })));
  const rows = chunks.reduce((sum, { chunk }) => sum + chunk.at.length, 0);
  const [at, entities] = [new Float64Array(rows), new Int32Array(rows)];
  let from = 0;
  for (const { chunk } of chunks) {
    at.set(chunk.at, from);
    entities.set(chunk.entities, from);
    from += chunk.at.length;
  }
  const byTables = opened.version.task.target
    ? labelByTables(opened, { entities, at }, until)[answerKindOf(opened.version).output]
    : null;
  from = 0;
  for (const { piece, chunk } of chunks) {
    const own = chunk.told.slice();
    for (let row = 0; row < own.length; row++)
      if (Number.isNaN(own[row]) && byTables?.isOpen[from + row] === 0) own[row] = byTables.labels[from + row];
    piece.labels.push(own);
    from += own.length;
  }
}

function spread(places: readonly number[], values: Float64Array, rows: number): Float64Array {
  const all = new Float64Array(rows).fill(Number.NaN);
  for (const [k, row] of places.entries()) all[row] = values[k];
  return all;
}

type Tally = ReturnType<typeof openTally>;

function openTally() {
  const versions = new Map<string, number>();
  const refused = new Map<string, { code: string; column: string | null; rows: number }>();
  return {
    rows: 0,
    versions,
    refused,
    movers: new Movers(),
    countVersion: (id: string, rows: number) => void versions.set(id, (versions.get(id) ?? 0) + rows),
    refuse(code: string, column: string | null) {
      const key = `${code} ${column}`;
      const known = refused.get(key);
      if (known) known.rows++;
      else refused.set(key, { code, column, rows: 1 });
    },
  };
}

/** Keeps the rows that moved most; of equal ones, the first by id. */
class Movers {
  private kept: Mover[] = [];
  private least = 0;

  add(ids: ReplayedChunk['ids'], row: number, before: number, after: number): void {
    const by = Math.abs(after - before);
    if (by === 0 || by < this.least) return;
    this.kept.push({ prediction_id: ids.dictionary[ids.codes[row]], before, after });
    if (this.kept.length < 2 * moversMax) return;
    this.kept = mostMoved(this.kept);
    const last = this.kept.at(-1)!;
    this.least = Math.abs(last.after - last.before);
  }

  most(): readonly Mover[] {
    return mostMoved(this.kept);
  }
}

/** Those that moved most, the farthest first. */
export function mostMoved(movers: readonly Mover[]): Mover[] {
  const by = ({ before, after }: Mover) => Math.abs(after - before);
  return [...movers].sort((a, b) => by(b) - by(a) || (a.prediction_id < b.prediction_id ? -1 : 1)).slice(0, moversMax);
}

function pathOf(folder: string, piece: number): string {
  return join(folder, `answers-${piece}`);
}
