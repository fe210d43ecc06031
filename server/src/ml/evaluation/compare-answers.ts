import { riskBand, riskBands } from '../calibration/score.ts';
import { kindNamed } from '../kinds/kinds.ts';
import { binOf, countIn, edgesOf, largestDistance, psi } from '../statistics/distributions.ts';
import type { ObjectiveKind } from '../statistics/objective.ts';
import { rankCorrelation } from './compare.ts';

/** What the answers that are compared say: those of the deciding output of a task of a kind. */
export type AnswerKind = {
  /** The name of the kind of task. */
  readonly kind: string;
  readonly objective: ObjectiveKind;
  /** Of a multiclass output, in order of class number. */
  readonly classes: readonly string[];
};

/** Where decisions are made: from this score on, up to this risk, or from this other probability or number on. */
export type Cutoff = { readonly score: number } | { readonly probability: number } | { readonly value: number };

/**
 * Two answers to the same questions. `labels`: what has come true since, by row, NaN where it is not known.
 * All are of one length; values are probabilities, numbers or class numbers, and none is NaN.
 */
export type AnsweredTwice = {
  readonly before: Float64Array;
  readonly after: Float64Array;
  readonly labels?: Float64Array;
};

type Pair<T = number> = { readonly before: T; readonly after: T };

/** Answers between two bounds; the last bin holds its end too. Bounds are scores where the kind has one. */
export type AnswerBin = Pair & { readonly from: number; readonly to: number };

export type DecidedGroup = {
  readonly rows: number;
  /** Sums of the probabilities, or numbers, of the group. */
  readonly expected: Pair;
  /** How many of the group have a label, and the mean of these; null without any. */
  readonly labelled: number;
  readonly observed: number | null;
};

export type AnswersCompared = {
  readonly rows: number;
  /** Of values; null for classes. */
  readonly mean: Pair | null;
  readonly mean_change: number | null;
  /** Spearman's; null for classes, and where all answers of one side are equal. */
  readonly rank_correlation: number | null;
  /** Population stability index of after against before, over the tenths of before; null for classes. */
  readonly psi: number | null;
  /** Largest distance of the two distribution functions, 0 to 1 (Kolmogorov and Smirnov); null for classes. */
  readonly ks: number | null;
  /** Share of rows whose two answers are the same number, or class. */
  readonly equal: number;
  readonly distribution: readonly AnswerBin[];
  /** How many rows of each group before are in each after: bands of the score, classes, or tenths of before. */
  readonly migration: {
    readonly by: 'band' | 'class' | 'tenth';
    readonly groups: readonly string[];
    readonly rows: readonly (readonly number[])[];
    /** Share of rows in another group. */
    readonly moved: number;
  };
  readonly decisions: {
    readonly accepted: Pair;
    /** Of what is accepted by each: the sum of its own probabilities, or numbers. */
    readonly expected: Pair;
    readonly swapped_in: DecidedGroup;
    readonly swapped_out: DecidedGroup;
    readonly kept_in: DecidedGroup;
    readonly kept_out: DecidedGroup;
  } | null;
};

const tenths = 10;
const scoreBins = 20;
const scoreMax = 1_000;

/**
 * Compares two answers to each of some questions. Sums are made in order of row, so the same rows give the same
 * figures.
 */
export function compareAnswers(
  { kind, objective, classes }: AnswerKind,
  { before, after, labels }: AnsweredTwice,
  cutoff: Cutoff | null,
): AnswersCompared {
  const rows = before.length;
  const score = kindNamed(kind).score ?? null;
  const equal = shareOf(rows, (row) => before[row] === after[row]);
  const decisions = cutoff === null ? null : decide(kind, cutoff, { before, after, ...(labels && { labels }) });
  if (objective === 'multiclass')
    return {
      ...{ rows, mean: null, mean_change: null, rank_correlation: null, psi: null, ks: null, equal },
      distribution: [],
      migration: migrate('class', classes, before, after),
      decisions: null,
    };
  const edges = edgesOf(before, tenths);
  const mean = { before: meanOf(before), after: meanOf(after) };
  const told = score ? { before: before.map(score.of), after: after.map(score.of) } : { before, after };
  const bandOf = (values: Float64Array) =>
    values.map((value) => riskBands.findIndex(({ name }) => name === riskBand(value)));
  return {
    rows,
    mean,
    mean_change: rows === 0 ? 0 : mean.after - mean.before,
    rank_correlation: rows === 0 ? null : rankCorrelation(before, after),
    psi: psi(countIn(edges, before), countIn(edges, after)),
    ks: rows === 0 ? 0 : largestDistance(before, after),
    equal,
    distribution: distribute(told, score ? scoreEdges() : objective === 'binary' ? unitEdges() : edges),
    migration: score
      ? migrate(
          'band',
          riskBands.map(({ name }) => name),
          bandOf(told.before),
          bandOf(told.after),
        )
      : migrate('tenth', groupNames(edges), binsOf(edges, before), binsOf(edges, after)),
    decisions,
  };
}

function decide(kindName: string, cutoff: Cutoff, { before, after, labels }: AnsweredTwice) {
  const { score, isRisk } = kindNamed(kindName);
  const accepts = (value: number): boolean => {
    if ('score' in cutoff) return score !== undefined && score.of(value) >= cutoff.score;
    if ('value' in cutoff) return value >= cutoff.value;
    return isRisk ? value <= cutoff.probability : value >= cutoff.probability;
  };
  const makeGroup = () => ({ rows: 0, before: 0, after: 0, labelled: 0, observed: 0 });
  const groups = { in: makeGroup(), out: makeGroup(), keptIn: makeGroup(), keptOut: makeGroup() };
  for (let row = 0; row < before.length; row++) {
    const [was, is] = [accepts(before[row]), accepts(after[row])];
    const group = was ? (is ? groups.keptIn : groups.out) : is ? groups.in : groups.keptOut;
    group.rows++;
    group.before += before[row];
    group.after += after[row];
    const label = labels?.[row] ?? Number.NaN;
    if (Number.isNaN(label)) continue;
    group.labelled++;
    group.observed += label;
  }
  const told = ({ rows, before, after, labelled, observed }: ReturnType<typeof makeGroup>): DecidedGroup => ({
    ...{ rows, expected: { before, after }, labelled },
    observed: labelled === 0 ? null : observed / labelled,
  });
  return {
    accepted: { before: groups.keptIn.rows + groups.out.rows, after: groups.keptIn.rows + groups.in.rows },
    expected: {
      before: groups.keptIn.before + groups.out.before,
      after: groups.keptIn.after + groups.in.after,
    },
    ...{ swapped_in: told(groups.in), swapped_out: told(groups.out) },
    ...{ kept_in: told(groups.keptIn), kept_out: told(groups.keptOut) },
  };
}

function migrate(
  by: 'band' | 'class' | 'tenth',
  groups: readonly string[],
  before: ArrayLike<number>,
  after: ArrayLike<number>,
): AnswersCompared['migration'] {
  const rows = groups.map(() => groups.map(() => 0));
  for (let row = 0; row < before.length; row++) rows[before[row]][after[row]]++;
  return { by, groups, rows, moved: shareOf(before.length, (row) => before[row] !== after[row]) };
}

function binsOf(edges: readonly number[], values: Float64Array): Int32Array {
  return Int32Array.from(values, (value) => binOf(edges, value));
}

function distribute({ before, after }: Pair<Float64Array>, inner: readonly number[]): AnswerBin[] {
  if (before.length === 0) return [];
  const [ofBefore, ofAfter] = [countIn(inner, before), countIn(inner, after)];
  const least = before.reduce((low, value, row) => Math.min(low, value, after[row]), Number.POSITIVE_INFINITY);
  const most = before.reduce((high, value, row) => Math.max(high, value, after[row]), Number.NEGATIVE_INFINITY);
  const bounds = [Math.min(least, inner[0] ?? least), ...inner, Math.max(most, inner.at(-1) ?? most)];
  return ofBefore.map((count, bin) => ({
    ...{ from: bounds[bin], to: bounds[bin + 1] },
    ...{ before: count, after: ofAfter[bin] },
  }));
}

const scoreEdges = () => Array.from({ length: scoreBins - 1 }, (_, at) => ((at + 1) * scoreMax) / scoreBins);
const unitEdges = () => Array.from({ length: scoreBins - 1 }, (_, at) => (at + 1) / scoreBins);

function groupNames(edges: readonly number[]): string[] {
  const said = (edge: number) => String(Number(edge.toPrecision(3)));
  if (edges.length === 0) return ['all'];
  return [
    `≤ ${said(edges[0])}`,
    ...edges.slice(1).map((edge, at) => `${said(edges[at])}–${said(edge)}`),
    `> ${said(edges.at(-1)!)}`,
  ];
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? 0 : sum / values.length;
}

function shareOf(rows: number, is: (row: number) => boolean): number {
  let count = 0;
  for (let row = 0; row < rows; row++) if (is(row)) count++;
  return rows === 0 ? 0 : count / rows;
}
