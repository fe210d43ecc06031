import type { Notice } from '../contract/notices.ts';
import { openSegments } from '../evaluation/read-segments.ts';
import { groupSegments, pickRows, type SegmentedRows } from '../evaluation/segments.ts';
import type { Tables } from '../graph/tables.ts';
import type { OpenVersion } from '../inference/predict.ts';
import { kindNamed } from '../kinds/kinds.ts';
import type { Objective } from '../statistics/objective.ts';
import type { Estimate } from '../statistics/standard-errors.ts';
import { type Examples, entityTable, pickExamples } from '../tasks/examples.ts';
import { readOutputs } from '../tasks/labels.ts';
import { textOfDay } from '../tasks/target.ts';
import {
  type Beside,
  bandRows,
  bandsOfScore,
  comparableGain,
  isTold,
  type JudgedRows,
  lossOf,
  measureByLabels,
  monthsOf,
  offMeaning,
  partRow,
} from './by-labels.ts';
import { measureMissing, measurePresent } from './by-present.ts';
import { inOrder, measureShadow, type ShadowTraffic, tellShadow } from './by-shadow.ts';
import { type Check, type CheckName, checkRules, judgeCheck, type Measurement } from './checks.ts';
import { decisionsAt } from './decisions.ts';
import { farMoved } from './distribution.ts';
import { predictUnflattered, type Source, type Unflattered } from './judged-rows.ts';
import { measureLatency } from './latency.ts';
import { presentRows } from './present.ts';
import { type Earlier, replayEarlier } from './replay.ts';
import type { PartRow, ValidationReport } from './report.ts';
import { verdictOf } from './verdict.ts';

export type ValidationAsked = {
  readonly model: OpenVersion;
  /** What it would replace; null where nothing answers yet. */
  readonly compareWith: OpenVersion | null;
  /** The data as they are, all of them. */
  readonly tables: Tables;
  /** The label files of a task that does not make its own. */
  readonly labelFiles: readonly string[];
  /** The data as they were once, where they are kept: both versions are asked again what they would have said. */
  readonly earlier: Earlier | null;
  /** What callers asked, answered by both; null where the version answered nothing in the shadow of the other. */
  readonly shadow: ShadowTraffic | null;
  /** Columns of the entity's table whose values are told apart. */
  readonly segments: readonly string[];
  /** The codes of what the training of the version warned of. */
  readonly warnings: readonly string[];
  /** Nothing later is known, microseconds. */
  readonly until: number;
};

type Progress = (phase: string, fraction: number) => void;

/** The newest labelled rows are enough, and cost as much as they are. */
const labelledMax = 20_000;
/** From so many rows on, with so many of either label, no more are looked for. */
const manyRows = 1_000;
const manyLabels = 100;
/** With fewer rows at present, nothing is said of distributions. */
const presentMin = 20;

/**
 * Holds a version against what it is to be, and against the version that it would replace: by labels that neither has
 * learned from, by what both say of the present, and by what both would have said of an earlier moment. Throws Failure
 * as `readOutputs` does, and 'invalid' for segments that are no columns of the entity's table.
 */
export async function validateVersion(
  asked: ValidationAsked,
  progress: Progress = () => {},
): Promise<ValidationReport> {
  const { model, compareWith, tables, until } = asked;
  const { task, outputs } = model.version;
  const { score } = kindNamed(task.kind);
  // A score is computed from the longest horizon; else the first output decides.
  const o = score ? outputs.length - 1 : 0;
  const { name: output, objective } = outputs[o];
  progress('reading labels', 0);
  const labels = await newestLabels(asked, o);
  progress('predicting labelled rows', 0.1);
  const own = predictUnflattered(model, o, labels, until);
  const before = compareWith && predictUnflattered(compareWith, o, labels, until);
  const judged = judgedRows(labels, objective, own, before);
  progress('measuring', 0.4);
  const isEnough = isTold(judged.own, objective);
  const byLabels = isEnough ? measureByLabels(objective, judged.own, judged.before) : null;
  const bands = score && objective.kind === 'binary' ? bandsOfScore(score.of) : null;
  const bandsOf = (rows: SegmentedRows | null) => (bands && rows && isEnough ? bandRows(rows, bands, score!.of) : []);
  const [ownBands, bandsBefore] = [bandsOf(judged.own), bandsOf(judged.before)];
  const months = isEnough ? monthsOf(objective, judged) : [];
  const segments = isEnough ? segmentsOf(asked, objective, judged) : [];
  progress('predicting the present', 0.6);
  const now = presentRows(model, tables, labels, until);
  const isPresent = now.rows.length >= presentMin;
  const beside = isEnough ? judged.own : null;
  const measured = isPresent ? measurePresent(model, compareWith, o, now, beside, bands, until) : null;
  const present = measured && {
    ...measured.told,
    cutoffs: bands ? decisionsAt(score!.of, measured.said, isEnough ? judged : null) : [],
  };
  const missingIn = (opened: OpenVersion | null) =>
    opened && isPresent && isEnough ? measureMissing(opened, judged.own, now, until) : null;
  const [missing, missingBefore] = [missingIn(model), missingIn(compareWith)];
  progress('asking again what earlier data said', 0.8);
  const replay = asked.earlier && replayEarlier(model, compareWith, tables, asked.earlier, o, labels, until);
  const shadow = tellShadow(asked.shadow, objective.kind === 'multiclass');
  progress('timing answers', 0.9);
  const latency = isPresent ? measureLatency(model, compareWith, now, until) : null;

  const loss = lossOf(objective.kind);
  const lossGain = byLabels && comparableGain(loss, byLabels);
  const ranked = isEnough && judged.before ? rankedGain(objective, judged) : null;
  const gain = ranked ?? (byLabels && comparableGain(objective.metric, byLabels));
  // What differs from before is right where later labels say so.
  const borneOut = lossGain !== null && (lossGain.low > 0 || (lossGain.value > 0 && gain !== null && gain.low > 0));
  const few = isEnough ? null : `only ${judged.own.labels.length} labelled rows flatter neither version`;
  const none = isPresent ? null : `only ${now.rows.length} rows are asked about at present`;
  const checks: Check[] = [];
  const check = (name: CheckName, told: Told | null, why: string | null = null) =>
    checks.push(judgeCheck(measurementOf(name, told, why), checkRules[name].threshold));
  const isClass = objective.kind === 'multiclass';
  if (compareWith) {
    check('discrimination', gain, few);
    if (objective.kind !== 'regression') check('log_loss', lossGain, few);
  }
  const beforeOf = (one: Beside | null | undefined) =>
    one ? { ...one.own, before: one.before, borne_out: borneOut } : null;
  if (!isClass) check('calibration_level', beforeOf(byLabels?.level), few);
  if (objective.kind === 'binary') check('calibration_slope', beforeOf(byLabels?.slope), few);
  if (bands)
    check(
      'score_meaning',
      isEnough
        ? { value: offMeaning(ownBands), before: judged.before && offMeaning(bandsBefore), borne_out: borneOut }
        : null,
      few,
    );
  if (compareWith) {
    // Labels have judged what differs as much where they are known.
    const onJudged = present?.judged;
    check(
      'distribution',
      valued(present?.stability_index, { borne_out: borneOut, before: onJudged?.stability_index }),
      none,
    );
    if (!isClass)
      check(
        'rank_consistency',
        valued(present?.rank_correlation, { borne_out: borneOut, before: onJudged?.rank_correlation }),
        none,
      );
    const bySame = { before: onJudged?.stability_index ?? null, borne_out: borneOut };
    for (const one of measureShadow(shadow, bySame)) checks.push(judgeCheck(one, checkRules[one.name].threshold));
  }
  const since = present?.since_judged;
  const moved = since?.model == null ? null : Math.min(since.model, since.beside ?? Number.POSITIVE_INFINITY);
  check('population', valued(moved, {}), none ?? few);
  check('missing_inputs', valued(missing?.share, { before: missingBefore?.share }), none ?? few);
  const hindsight = replay?.hindsight;
  check(
    'hindsight',
    valued(hindsight?.model.low, { before: hindsight?.compare_with && Math.max(0, hindsight.compare_with.low) }),
    'no earlier data are kept that it can read, or too few outcomes came since',
  );
  check('replay', valued(replay?.model, { before: replay?.compare_with }), 'no earlier data are kept that it can read');
  check('plausibility', { value: asked.warnings.filter((code) => code === 'implausibly_good').length });
  if (present?.migration) check('band_migration', { value: farMoved(present.migration) });
  const worstMonth = worstOf(months);
  if (worstMonth) check('stability', worstMonth.gain, `in ${worstMonth.name}`);
  const worstSegment = worstOf(segments.flatMap(({ column, values }) => values.map((one) => ({ ...one, column }))));
  if (worstSegment)
    check('segments', worstSegment.gain, `where ${worstSegment.column} is ${worstSegment.name ?? 'missing'}`);
  if (latency?.compare_with) check('latency', { value: latency.model.median_ms / latency.compare_with.median_ms });

  const { at, labels: known } = judged.own;
  return {
    ...verdictOf(checks),
    checks: inOrder(checks),
    ...{ output, kind: objective.kind, metric: objective.metric },
    judged: {
      labelled: labels.rows.length,
      rows: known.length,
      positives: objective.kind === 'binary' ? known.reduce((sum, label) => sum + label, 0) : null,
      model: judged.sources.own,
      compare_with: judged.sources.before,
      from: known.length === 0 ? null : textOfDay(at.reduce((a, b) => Math.min(a, b))),
      until: known.length === 0 ? null : textOfDay(at.reduce((a, b) => Math.max(a, b))),
    },
    model: byLabels?.model ?? null,
    compare_with: byLabels?.compareWith ?? null,
    gains: byLabels?.gains ?? null,
    ...{ months, segments, bands: ownBands, present, shadow, missing: missing?.told ?? [], replay, latency },
  };
}

/** The newest labels of an output that are known. */
async function newestLabels({ model, tables, labelFiles, until }: ValidationAsked, o: number): Promise<Examples> {
  const notices: Notice[] = [];
  const { examples } = (await readOutputs(model.version.task, tables, labelFiles, notices, until)).outputs[o];
  const { rows, at, labels, closes } = examples;
  const isKnown = (i: number) =>
    rows[i] >= 0 && !Number.isNaN(labels[i]) && (Number.isFinite(closes[i]) ? closes[i] : at[i]) <= until;
  const known = Array.from(rows.keys()).filter(isKnown);
  const newest = known.sort((a, b) => at[b] - at[a] || a - b).slice(0, labelledMax);
  return pickExamples(
    examples,
    newest.sort((a, b) => a - b),
  );
}

type Sources = Readonly<Record<Source, number>>;

/**
 * The labelled rows that both versions predict unflattered, with the predictions of each. Rows that are later than all
 * that was learned from are predicted by the models that would answer, and are enough where there are many; else those
 * are added that the folds of one version have predicted, and then those that both have.
 */
function judgedRows(
  labels: Examples,
  { kind }: Objective,
  own: Unflattered,
  before: Unflattered | null,
): JudgedRows & { readonly sources: { readonly own: Sources; readonly before: Sources | null } } {
  const both = before ? [own, before] : [own];
  const foldsOf = (i: number) => both.reduce((count, { sources }) => count + Number(sources[i] !== 'later'), 0);
  const unflattered = Array.from(labels.rows.keys()).filter((i) => both.every(({ sources }) => sources[i] !== null));
  const upTo = (folds: number) => unflattered.filter((i) => foldsOf(i) <= folds);
  const isMany = (rows: readonly number[]) => {
    const positives = rows.reduce((sum, i) => sum + labels.labels[i], 0);
    return rows.length >= manyRows && (kind !== 'binary' || Math.min(positives, rows.length - positives) >= manyLabels);
  };
  const kept = [0, 1].map(upTo).find(isMany) ?? unflattered;
  const by = ({ values }: Unflattered) =>
    pickRows({ labels: labels.labels, values, sure: null, at: labels.at, entities: labels.rows }, kept);
  const count = ({ sources }: Unflattered): Sources => {
    const of = (source: Source) => kept.reduce((sum, i) => sum + Number(sources[i] === source), 0);
    return { later: of('later'), held_out: of('held_out'), unlearned: of('unlearned') };
  };
  return {
    own: by(own),
    before: before && by(before),
    // Those that a version has left out may be all of one label, and other models than those of folds predict them.
    isRanked: (row) => both.every(({ sources }) => sources[kept[row]] !== 'unlearned'),
    sources: { own: count(own), before: before && count(before) },
  };
}

/** The gain of those that are ranked, where some of the judged rows are not; null where too few are. */
function rankedGain(objective: Objective, judged: JudgedRows): Estimate | null {
  const rows = Array.from(judged.own.labels.keys());
  return rows.every(judged.isRanked) ? null : partRow(null, rows, objective, judged).gain;
}

function segmentsOf(
  { model, tables, segments }: ValidationAsked,
  objective: Objective,
  judged: JudgedRows,
): ValidationReport['segments'] {
  const { own } = judged;
  const table = entityTable(model.version.task, tables);
  const none = { rows: 0, columns: new Map() };
  return openSegments(model, table, segments, [], (column) => column).map(({ builder, value }) => {
    for (const [row, entity] of own.entities.entries()) builder.add(value(none, row, entity, own.at[row]));
    const column = builder.take();
    const { values } = groupSegments(own, column);
    return {
      column: column.column,
      values: values.map(({ value: name, rows }) => partRow(name, rows, objective, judged)),
    };
  });
}

/** The part that the version gains least in; undefined where none can be told. */
function worstOf<P extends PartRow>(parts: readonly P[]): P | undefined {
  return parts.filter(({ gain }) => gain !== null).sort((a, b) => a.gain!.value - b.gain!.value)[0];
}

type Told = { readonly value: number } & Partial<Pick<Measurement, 'low' | 'high' | 'before' | 'borne_out'>>;

function valued(
  value: number | null | undefined,
  { before = null, ...rest }: { readonly before?: number | null | undefined; readonly borne_out?: boolean },
): Told | null {
  return value === null || value === undefined ? null : { value, before, ...rest };
}

/** `why`: where it was measured, or why it was not. */
function measurementOf(name: CheckName, told: Told | Estimate | null, why: string | null): Measurement {
  const finite = (value: number | null | undefined) => (Number.isFinite(value) ? value! : null);
  const { value, low, high, before, borne_out = false }: Partial<Told> = told ?? {};
  return {
    ...{ name, value: finite(value), low: finite(low), high: finite(high), before: finite(before), borne_out },
    why: told === null || name === 'stability' || name === 'segments' ? why : null,
  };
}
