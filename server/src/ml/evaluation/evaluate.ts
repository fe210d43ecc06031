import { Failure } from '../../lib/failure.ts';
import type { Sure } from '../calibration/evaluate.ts';
import type { OpenVersion } from '../inference/predict.ts';
import { kindNamed } from '../kinds/kinds.ts';
import type { MetricName } from '../statistics/metrics.ts';
import type { Objective, ObjectiveKind } from '../statistics/objective.ts';
import { resamplingOf } from '../statistics/standard-errors.ts';
import { entityTable, joinExamples } from '../tasks/examples.ts';
import { textOfDay } from '../tasks/target.ts';
import { evaluateNaive, type Naive, referredOf } from '../training/naive.ts';
import type { ColumnMapping } from '../version/other-names.ts';
import { type Comparison, compareRows, type Seen } from './compare.ts';
import { type Measured, measureRows } from './measure.ts';
import { type EvaluationNotice, rowsMin, sayNotice } from './notices.ts';
import { type PredictedFile, predictLabelled } from './predict-labelled.ts';
import { type EvaluationRefusal, refuseEvaluation } from './refusals.ts';
import type { RowError } from './row-error.ts';
import { measureSegments, pickRows, type SegmentedRows, type SegmentReport, segmentsMax } from './segments.ts';

/** What a version, or two of them side by side, were worth on the rows of a labelled file. */
export type EvaluationReport = {
  readonly rows: {
    /** Data rows of the file. */
    readonly read: number;
    /** Rows that could not be read, and are in no other number. */
    readonly unreadable: number;
    /** Rows whose key the tables do not have. */
    readonly unknown: number;
  };
  /** The first rows that could not be read. */
  readonly errors: readonly RowError[];
  /** The rows that a version may have learned from; null where the versions do not say what they learned from. */
  readonly learned: {
    /** The newest anchor with a label that either version learned from. */
    readonly newest_label: string;
    /** Rows of this moment or before. */
    readonly rows: number;
    /** Rows that have, by key and moment, a label that a version learned from; null where none keeps its labels. */
    readonly matched: number | null;
    readonly of: number;
  } | null;
  readonly outputs: readonly OutputReport[];
  readonly warnings: readonly string[];
  /** What the warnings say, at the same places. */
  readonly warning_codes: readonly EvaluationNotice[];
};

export type OutputReport = {
  readonly name: string;
  readonly kind: ObjectiveKind;
  /** The metric that decides. */
  readonly metric: MetricName;
  readonly labelled_by: 'file' | 'tables';
  /** Rows without a label, and rows left out because the window of their label had not closed. */
  readonly unlabelled: number;
  readonly open: number;
  /** All labelled rows; null without any. */
  readonly all: RowsReport | null;
  /** The rows that are later than all that was learned from; null where these are all rows, or none. */
  readonly later: RowsReport | null;
};

export type RowsReport = {
  /** What the bounds of metrics draw with replacement. */
  readonly drawn: 'moments' | 'entities';
  readonly model: Measured;
  /** The task's metric of predictions that need no learning; null where the version does not keep its labels. */
  readonly naive: Naive | null;
  readonly segments: readonly SegmentReport[];
  readonly compare_with: Measured | null;
  readonly comparison: Comparison | null;
};

export type EvaluationAsked = {
  readonly path: string;
  /** The name of the file in messages. */
  readonly name: string;
  readonly model: OpenVersion;
  readonly compareWith: OpenVersion | null;
  readonly segments: readonly string[];
  /** The columns of the file that are called otherwise than they are read, by the name by which they are. */
  readonly columnMapping?: ColumnMapping;
  /** Nothing later is read, microseconds. */
  readonly until: number;
};

export type EvaluationProgress = (phase: string, fraction: number) => void;

/**
 * Evaluates a version on a labelled file, each row as of its own moment, and compares it with another one on the rows
 * that both can read. Throws Failure as `predictLabelled` does, and 'invalid' when no row has a label that was known or
 * the two answer different questions.
 */
export async function evaluateFile(asked: EvaluationAsked, progress: EvaluationProgress): Promise<EvaluationReport> {
  const { path, name, model, compareWith, segments, columnMapping = {}, until } = asked;
  if (segments.length > segmentsMax)
    throw new Failure('invalid', `at most ${segmentsMax} columns may be segments, not ${segments.length}`);
  if (compareWith) requireSameQuestion(model, compareWith);
  const share = compareWith ? 0.25 : 0.5;
  const tell = (phase: string, from: number) => (rows: number, of: number | null) =>
    progress(phase, from + share * (of === null ? 0.5 : rows / Math.max(1, of)));
  progress('predicting', 0);
  const first = await predictLabelled(model, path, { name, until, segments, columnMapping }, tell('predicting', 0));
  const second =
    compareWith &&
    (await predictLabelled(
      compareWith,
      path,
      { name, until, columnMapping, segments: [] },
      tell('predicting by the other', share),
    ));
  const places = pairedPlaces(first, second);
  const newestOf = { model: newestLabel(model), compare_with: compareWith && newestLabel(compareWith) };
  const newest = newestOfAll(newestOf, compareWith !== null);
  const outputs = first.outputs.map((output, o) => {
    progress(`measuring ${output.name}`, 0.5 + (0.5 * o) / first.outputs.length);
    return reportOutput(o, { model, compareWith, first, second, places, newest, newestOf, until });
  });
  const of = places.length;
  const learned = rowsUpTo(newest, first, places);
  const matched = countMatched(places, [model, first], compareWith && second && [compareWith, second]);
  const seen = seenOf(newestOf, first, places);
  const { read, unreadable, unknown, errors } = first;
  if (outputs.every(({ all }) => all === null)) throw refuseEvaluation(nothingToMeasure(name, first, outputs[0]));
  const noticed = noticesOf(first.timeForm, learned, matched, of, newest, compareWith && seen, outputs);
  return {
    rows: { read, unreadable: unreadable + (first.rowNumbers.length - of), unknown },
    errors: second ? mergeErrors(errors, second.errors) : errors,
    learned: learned === null ? null : { newest_label: textOfDay(newest!), rows: learned, matched, of },
    outputs,
    warnings: noticed.map(sayNotice),
    warning_codes: noticed,
  };
}

function requireSameQuestion(model: OpenVersion, other: OpenVersion): void {
  const [a, b] = [model.version, other.version];
  const say = ({ task, outputs }: OpenVersion['version']) =>
    `${task.name} answers ${outputs.map(({ name }) => name).join(', ')} of ${task.entity}`;
  const isSame =
    a.task.entity === b.task.entity &&
    a.outputs.length === b.outputs.length &&
    a.outputs.every(({ name, objective }, o) => {
      const { name: otherName, objective: others } = b.outputs[o];
      return (
        name === otherName &&
        objective.kind === others.kind &&
        JSON.stringify(objective.classes) === JSON.stringify(others.classes)
      );
    });
  if (!isSame)
    throw new Failure(
      'invalid',
      `the two answer different questions, so there is nothing to compare: ${say(a)}; ${say(b)}`,
    );
}

/** The places of the rows that both files have, as pairs of places; without a second file, those of the first twice. */
function pairedPlaces(first: PredictedFile, second: PredictedFile | null): (readonly [number, number])[] {
  if (!second) return Array.from(first.rowNumbers.keys(), (row) => [row, row] as const);
  const placeOf = new Map(Array.from(second.rowNumbers, (number, place) => [number, place]));
  return Array.from(first.rowNumbers.keys()).flatMap((row) => {
    const other = placeOf.get(first.rowNumbers[row]);
    return other === undefined ? [] : [[row, other] as const];
  });
}

/** The newest label that a version learned from; null where it does not say. */
function newestLabel({ version, labels }: OpenVersion): number | null {
  const newest = version.newestLabel ?? labels.at.reduce((a, b) => Math.max(a, b), -Infinity);
  return Number.isFinite(newest) ? newest : null;
}

/** The newest label that each version learned from. */
type Newest = { readonly model: number | null; readonly compare_with: number | null };

/** The newest label that any of the versions learned from; null where one does not say. */
function newestOfAll({ model, compare_with }: Newest, isCompared: boolean): number | null {
  if (!isCompared || model === null) return model;
  return compare_with === null ? null : Math.max(model, compare_with);
}

/** How many of the rows at places are of a moment or before; null without one. */
function rowsUpTo(moment: number | null, { at }: PredictedFile, places: Given['places']): number | null {
  return moment === null ? null : places.filter(([row]) => at[row] <= moment).length;
}

/** How many of the rows at places have, by key and moment, a label of a version; null where none keeps labels. */
function countMatched(
  places: Given['places'],
  first: readonly [OpenVersion, PredictedFile],
  second: readonly [OpenVersion, PredictedFile] | null,
): number | null {
  const [ofFirst, ofSecond] = [isMatched(...first), second && isMatched(...second)];
  if (!ofFirst && !ofSecond) return null;
  return places.filter(([row, other]) => ofFirst?.(row) || ofSecond?.(other)).length;
}

function isMatched({ labels }: OpenVersion, { entities, at }: PredictedFile): ((row: number) => boolean) | null {
  if (labels.at.length === 0) return null;
  const moments = new Map(Array.from(entities, (entity) => [entity, new Set<number>()]));
  for (const [i, entity] of labels.rows.entries()) if (entity >= 0) moments.get(entity)?.add(labels.at[i]);
  return (row) => moments.get(entities[row])!.has(at[row]);
}

function seenOf({ model, compare_with }: Newest, first: PredictedFile, places: Given['places']): Seen {
  return { model: rowsUpTo(model, first, places), compare_with: rowsUpTo(compare_with, first, places) };
}

type Given = Pick<EvaluationAsked, 'model' | 'compareWith' | 'until'> & {
  readonly first: PredictedFile;
  readonly second: PredictedFile | null;
  readonly places: readonly (readonly [number, number])[];
  readonly newest: number | null;
  readonly newestOf: Newest;
};

function reportOutput(o: number, given: Given): OutputReport {
  const { model, first, places, newest } = given;
  const { objective } = model.version.outputs[o];
  const { name, labels, isOpen, labelledBy } = first.outputs[o];
  const open = places.filter(([row]) => isOpen[row] === 1);
  const labelled = places.filter(([row]) => isOpen[row] === 0 && !Number.isNaN(labels[row]));
  const later = newest === null ? [] : labelled.filter(([row]) => first.at[row] > newest);
  return {
    name,
    kind: objective.kind,
    metric: objective.metric,
    labelled_by: labelledBy,
    unlabelled: places.length - open.length - labelled.length,
    open: open.length,
    all: labelled.length === 0 ? null : reportRows(o, given, labelled),
    later: later.length === 0 || later.length === labelled.length ? null : reportRows(o, given, later),
  };
}

function reportRows(o: number, given: Given, places: Given['places']): RowsReport {
  const { model, compareWith, first, second, newestOf } = given;
  const { objective } = model.version.outputs[o];
  const rows = Int32Array.from(places, ([row]) => row);
  const judged = judgedRows(model, first, o, rows);
  const resampling = resamplingOf(judged.at, judged.entities);
  const other = second &&
    compareWith && {
      ...judgedRows(
        compareWith,
        second,
        o,
        Int32Array.from(places, ([, row]) => row),
      ),
      labels: judged.labels,
    };
  const { score } = kindNamed(model.version.task.kind);
  // Bands are those of the score, which is computed from the last output.
  const isScored = score !== undefined && o === model.version.outputs.length - 1;
  return {
    drawn: resampling.drawn,
    model: measureRows(objective, judged, resampling),
    naive: naiveOf(model, objective, o, judged, given.until),
    segments: first.segments.map((column) =>
      measureSegments(objective, judged, { ...column, codes: Int32Array.from(rows, (row) => column.codes[row]) }),
    ),
    compare_with: other && measureRows(objective, other, resampling),
    comparison:
      other &&
      compareRows(objective, judged, other, resampling, isScored ? score.of : null, seenOf(newestOf, first, places)),
  };
}

function judgedRows({ version }: OpenVersion, file: PredictedFile, o: number, rows: Int32Array): SegmentedRows {
  const { labels, values, bounds } = file.outputs[o];
  const { interval } = version.outputs[o];
  const sure: Sure | null = bounds && {
    ...bounds,
    promised: interval?.kind === 'conformal' ? interval.conformal : null,
  };
  return pickRows({ labels, values, sure, at: file.at, entities: file.entities }, rows);
}

/** A version keeps the labels of its first output. */
function naiveOf(
  { labels: known, tables, version: { task, fresh } }: OpenVersion,
  objective: Objective,
  o: number,
  { labels, values, at, entities }: SegmentedRows,
  until: number,
): Naive | null {
  if (o > 0 || known.labels.length === 0) return null;
  const rows = { rows: entities, at, labels, closes: at.map(() => Number.POSITIVE_INFINITY) };
  const count = known.labels.length;
  const range = (from: number, length: number) => Int32Array.from({ length }, (_, i) => from + i);
  const part = { from: range(0, count), evaluated: range(count, labels.length), until };
  const examples = joinExamples(known, rows);
  const referred = fresh ? referredOf(task, entityTable(task, tables), examples.rows) : [];
  return evaluateNaive(objective, examples, [part], referred, values);
}

/** Errors of both versions in order of row, each once. */
function mergeErrors(first: readonly RowError[], second: readonly RowError[]): readonly RowError[] {
  const seen = new Set<string>();
  return [...first, ...second]
    .filter((error) => seen.size < seen.add(JSON.stringify(error)).size)
    .sort((a, b) => a.row - b.row)
    .slice(0, Math.max(first.length, second.length));
}

function nothingToMeasure(
  file: string,
  { read: rows, unreadable, errors }: PredictedFile,
  output: OutputReport | undefined,
): EvaluationRefusal {
  if (unreadable === rows) return { code: 'labelled_unreadable', file, rows, ...errors[0] };
  const { open = 0, unlabelled: without = 0 } = output ?? {};
  return { code: 'labelled_unknown', file, rows, open, without, unreadable };
}

/** With fewer rows of either label, as with few rows, intervals are wide and their bounds themselves uncertain. */
const labelsMin = 10;

function noticesOf(
  timeForm: PredictedFile['timeForm'],
  learned: number | null,
  matched: number | null,
  of: number,
  newest: number | null,
  seen: Seen | null,
  outputs: readonly OutputReport[],
): EvaluationNotice[] {
  const notices: EvaluationNotice[] = [];
  if (timeForm) {
    const { form, isGuessed: guessed, mixed } = timeForm;
    notices.push({ code: 'day_form', form, guessed, ...mixed });
  }
  if (learned === null) notices.push({ code: 'unknown_learning' });
  else if (learned > 0)
    notices.push({ code: 'learned_rows', rows: learned, matched, of, newest: textOfDay(newest!), seen });
  for (const { name: output, all, open } of outputs) {
    if (open > 0) notices.push({ code: 'open_rows', output, rows: open });
    const measured = all?.model;
    if (!measured) notices.push({ code: 'none_measured', output });
    else if (measured.rows < rowsMin || isOneSided(measured))
      notices.push({ code: 'few_rows', output, rows: measured.rows, positives: measured.positives });
  }
  return notices;
}

function isOneSided({ positives, rows }: Measured): boolean {
  return positives !== null && Math.min(positives, rows - positives) < labelsMin;
}
