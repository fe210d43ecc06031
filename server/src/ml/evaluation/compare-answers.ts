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
  /** Parts of the rows by name, and the place of that of each row: such as months. */
  readonly parts?: { readonly names: readonly string[]; readonly of: ArrayLike<number> };
};

type Pair<T = number> = { readonly before: T; readonly after: T };

/** Answers between two bounds; the last bin holds its end too. Bounds are scores where the kind has one. */
export type AnswerBin = Pair & { readonly from: number; readonly to: number };

/** Answers that moved by `from` or more, and less than `to`. */
export type ChangeBin = { readonly from: number; readonly to: number; readonly rows: number };

export type DecidedGroup = {
  readonly rows: number;
  /** Sums of the probabilities, or numbers, of the group. */
  readonly expected: Pair;
  /** How many of the group have a label, and the mean of these; null without any. */
  readonly labelled: number;
  readonly observed: number | null;
};

/** Some of the rows: those of a part, or those of which one thing was said before. */
export type AnswersPart = {
  readonly name: string;
  readonly rows: number;
  /** Of values; null for classes. */
  readonly mean: Pair | null;
  /** Share of rows in another group after than before. */
  readonly moved: number;
  readonly accepted: Pair | null;
  /** How many are accepted by the one and not by the other; null without a cutoff, and for classes. */
  readonly swapped_in: number | null;
  readonly swapped_out: number | null;
  /** How many have a label, and the mean of these; null without any, and for classes. */
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
  /** How many answers moved by how much, after less before, in the unit of `distribution`; empty for classes. */
  readonly changes: readonly ChangeBin[];
  /** How many rows of each group before are in each after: bands of the score, classes, or tenths of before. */
  readonly migration: {
    readonly by: 'band' | 'class' | 'tenth';
    readonly groups: readonly string[];
    readonly rows: readonly (readonly number[])[];
    /** Share of rows in another group. */
    readonly moved: number;
  };
  /** The rows of each group before, and of each of the parts that were given, in order; those that have some. */
  readonly by_group: readonly AnswersPart[];
  readonly by_part: readonly AnswersPart[];
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
/** On either side of the one about zero. */
const changeBins = 10;
const niceSteps = [1, 2, 5, 10];
const scoreBins = 20;
const scoreMax = 1_000;

/**
 * Compares two answers to each of some questions. Sums are made in order of row, so the same rows give the same
 * figures.
 */
export function compareAnswers(
  { kind, objective, classes }: AnswerKind,
  answers: AnsweredTwice,
  cutoff: Cutoff | null,
): AnswersCompared {
  const { before, after, parts = { names: [], of: [] } } = answers;
  const rows = before.length;
  const score = kindNamed(kind).score ?? null;
  const equal = shareOf(rows, (row) => before[row] === after[row]);
  if (objective === 'multiclass') {
    const grouped = { by: 'class', names: classes, before, after } as const;
    return {
      ...{ rows, mean: null, mean_change: null, rank_correlation: null, psi: null, ks: null, equal },
      ...{ distribution: [], changes: [], migration: migrate(grouped), decisions: null },
      by_group: tellParts({ names: classes, of: before }, grouped, answers, null),
      by_part: tellParts(parts, grouped, answers, null),
    };
  }
  const accepts = cutoff && acceptsFrom(kind, cutoff);
  const edges = edgesOf(before, tenths);
  const mean = { before: meanOf(before), after: meanOf(after) };
  const told = score ? { before: before.map(score.of), after: after.map(score.of) } : { before, after };
  const grouped: Grouped = score
    ? {
        ...{ by: 'band', names: riskBands.map(({ name }) => name) },
        ...{ before: bandsOf(told.before), after: bandsOf(told.after) },
      }
    : { by: 'tenth', names: groupNames(edges), before: binsOf(edges, before), after: binsOf(edges, after) };
  return {
    rows,
    mean,
    mean_change: rows === 0 ? 0 : mean.after - mean.before,
    rank_correlation: rows === 0 ? null : rankCorrelation(before, after),
    psi: psi(countIn(edges, before), countIn(edges, after)),
    ks: rows === 0 ? 0 : largestDistance(before, after),
    equal,
    distribution: distribute(told, score ? scoreEdges() : objective === 'binary' ? unitEdges() : edges),
    changes: countChanges(told),
    migration: migrate(grouped),
    by_group: tellParts({ names: grouped.names, of: grouped.before }, grouped, answers, accepts),
    by_part: tellParts(parts, grouped, answers, accepts),
    decisions: accepts && decide(accepts, answers),
  };
}

type Accepts = (value: number) => boolean;

function acceptsFrom(kindName: string, cutoff: Cutoff): Accepts {
  const { score, isRisk } = kindNamed(kindName);
  return (value) => {
    if ('score' in cutoff) return score !== undefined && score.of(value) >= cutoff.score;
    if ('value' in cutoff) return value >= cutoff.value;
    return isRisk ? value <= cutoff.probability : value >= cutoff.probability;
  };
}

/** What is said before and after by group: a band, a class, or a tenth. */
type Grouped = {
  readonly by: AnswersCompared['migration']['by'];
  readonly names: readonly string[];
  readonly before: ArrayLike<number>;
  readonly after: ArrayLike<number>;
};

function tellParts(
  { names, of }: NonNullable<AnsweredTwice['parts']>,
  grouped: Grouped,
  { before, after, labels }: AnsweredTwice,
  accepts: Accepts | null,
): AnswersPart[] {
  const sums = names.map(() => ({
    ...{ rows: 0, before: 0, after: 0, moved: 0, wasIn: 0, isIn: 0, swappedIn: 0, swappedOut: 0 },
    ...{ labelled: 0, observed: 0 },
  }));
  for (let row = 0; row < of.length; row++) {
    const sum = sums[of[row]];
    sum.rows++;
    sum.before += before[row];
    sum.after += after[row];
    if (grouped.before[row] !== grouped.after[row]) sum.moved++;
    if (accepts) {
      const [was, is] = [accepts(before[row]), accepts(after[row])];
      if (was) sum.wasIn++;
      if (is) sum.isIn++;
      if (is && !was) sum.swappedIn++;
      if (was && !is) sum.swappedOut++;
    }
    const label = labels?.[row] ?? Number.NaN;
    if (Number.isNaN(label)) continue;
    sum.labelled++;
    sum.observed += label;
  }
  const isClass = grouped.by === 'class';
  return sums.flatMap(({ rows, labelled, ...sum }, at) =>
    rows === 0
      ? []
      : {
          ...{ name: names[at], rows, moved: sum.moved / rows, labelled },
          mean: isClass ? null : { before: sum.before / rows, after: sum.after / rows },
          accepted: accepts && { before: sum.wasIn, after: sum.isIn },
          swapped_in: accepts && sum.swappedIn,
          swapped_out: accepts && sum.swappedOut,
          observed: isClass || labelled === 0 ? null : sum.observed / labelled,
        },
  );
}

function decide(accepts: Accepts, { before, after, labels }: AnsweredTwice) {
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

function migrate({ by, names, before, after }: Grouped): AnswersCompared['migration'] {
  const rows = names.map(() => names.map(() => 0));
  for (let row = 0; row < before.length; row++) rows[before[row]][after[row]]++;
  return { by, groups: names, rows, moved: shareOf(before.length, (row) => before[row] !== after[row]) };
}

function bandsOf(scores: Float64Array): Int32Array {
  return Int32Array.from(scores, (score) => riskBands.findIndex(({ name }) => name === riskBand(score)));
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

/** Ten bins on either side of one about zero, whose width is 1, 2 or 5 times a power of ten; none where none moved. */
function countChanges({ before, after }: Pair<Float64Array>): ChangeBin[] {
  const changes = after.map((value, row) => value - before[row]);
  const most = changes.reduce((most, change) => Math.max(most, Math.abs(change)), 0);
  if (most === 0) return [];
  const width = niceAbove(Math.max(most / changeBins, Number.EPSILON));
  const edges = Array.from({ length: 2 * changeBins + 2 }, (_, at) => (at - changeBins - 0.5) * width);
  const rows = edges.slice(1).map(() => 0);
  for (const change of changes) rows[edges.findLastIndex((edge) => edge <= change)]++;
  return rows.map((count, at) => ({ from: edges[at], to: edges[at + 1], rows: count }));
}

function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (niceSteps.find((step) => step * power >= value) ?? 10) * power;
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
