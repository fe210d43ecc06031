import { type Checked, type CheckedBin, type Figures, figuresOf } from './figures.ts';

/** Whether an output is better than the best answer that takes no learning, by the interval of its gain. */
export type Verdict = 'better' | 'unsure' | 'worse' | 'few' | 'unmeasured' | Doubt;

/** Why figures say nothing of later rows: something tells the outcome, or the rows were, or may be, learned from. */
export type Doubt = 'tooGood' | 'memory' | 'mayBeMemory';

/** Whether the probabilities of an output may be taken at their word; null of what is no probability. */
export type Chances = 'right' | 'low' | 'high' | 'bold' | 'shy' | 'wrong' | 'unknown' | null;

/** With fewer rows, or rows of either label, intervals are wide and themselves uncertain; as evaluations warn. */
const rowsLeast = 100;
const labelsLeast = 10;
/** Rows of either label by which probabilities can be told right; as trainings warn. */
export const checkedLeast = 100;
/**
 * So many standard errors right probabilities are off once in 370 times; as trainings warn. At two of them every third
 * version of five outcomes would be called wrong by chance.
 */
export const zMax = 3;
/** Of the normal distribution, for an interval that holds nineteen times of twenty. */
const standardErrors = 1.96;

export function judge({ value, rows, positives, naive }: Figures, doubt: Doubt | null): Verdict {
  if (doubt) return doubt;
  if (value === null || fewToMeasure({ rows, positives })) return 'few';
  const gain = naive?.gain;
  if (!gain) return 'unmeasured';
  if (gain.low === null || gain.high === null) return 'few';
  return gain.low > 0 ? 'better' : gain.high < 0 ? 'worse' : 'unsure';
}

/** What is too few: all rows, those of which it came, or those of which it did not; and how many it takes. */
export type Few = {
  readonly of: 'rows' | 'came' | 'not';
  readonly count: number;
  readonly rows: number;
  readonly least: number;
};

export function fewToMeasure({ rows, positives }: Pick<Figures, 'rows' | 'positives'>): Few | null {
  if (rows === null) return null;
  if (rows < rowsLeast) return { of: 'rows', count: rows, rows, least: rowsLeast };
  return positives === null ? null : rarerOf(rows, positives, labelsLeast);
}

/** What is too few to check probabilities by, of cases that did not set them. */
export function fewToCheck({ rows, came }: Pick<Checked, 'rows' | 'came'>): Few | null {
  return rarerOf(rows, Math.round(came * rows), checkedLeast);
}

function rarerOf(rows: number, positives: number, least: number): Few | null {
  const count = Math.min(positives, rows - positives);
  return count < least ? { of: count === positives ? 'came' : 'not', count, rows, least } : null;
}

/** A verdict that what speaks against the outcome tempers: who reads it alone must not trust more than it holds. */
export type Headline = Verdict | 'betterButOff' | 'betterUnchecked' | 'betterButWarned';

type Warned = { readonly code: string; readonly output?: string | undefined };

/** Warnings by which the order of the answers itself may be worth less than was measured. */
const ofRank = ['implausibly_good', 'possible_leakage', 'worse_than_naive', 'no_better_than_naive'];

/** The one verdict under which all else of an outcome may stand: the worst of its rank, chances and warnings. */
export function headlineOf(figures: Figures, doubt: Doubt | null, warnings: readonly Warned[]): Headline {
  const verdict = judge(figures, doubt);
  if (verdict !== 'better') return verdict;
  const own = new Set(
    warnings.filter(({ output }) => output === undefined || output === figures.name).map(({ code }) => code),
  );
  const chances = judgeChances(figures);
  // What makes the rank itself doubtful is said before what is wrong with the chances.
  if (ofRank.some((code) => own.has(code))) return 'betterButWarned';
  if (own.has('poorly_calibrated') || (chances !== null && chances !== 'right' && chances !== 'unknown'))
    return 'betterButOff';
  if (shiftOf(figures) || own.size > Number(own.has('calibration_unknown'))) return 'betterButWarned';
  return chances === 'unknown' || own.size > 0 ? 'betterUnchecked' : 'better';
}

/** What to look at first: the earlier of these codes. */
const gravest = [
  ...['implausibly_good', 'possible_leakage', 'worse_than_naive', 'no_better_than_naive', 'outcome_moved'],
  ...['poorly_calibrated', 'data', 'alias_held_back', 'inputs_changed', 'calibration_unknown'],
];

/** The gravest warnings first, and those of one code as they were told. */
export function worstFirst<T extends { readonly code: string }>(warnings: readonly T[]): readonly T[] {
  return warnings.toSorted((one, other) => gravest.indexOf(one.code) - gravest.indexOf(other.code));
}

/**
 * The part of the cases that shows what is wrong with chances: the one that is off by the most cases in the way that
 * they are, by more than a standard error; of those too bold or too timid the ones said to be most likely, where these
 * are. Null where there is none.
 */
export function shownBin(chances: Chances, { bins }: Checked): CheckedBin | null {
  const wayOf = { low: -1, high: 1, bold: 1, shy: -1, wrong: 0, right: null, unknown: null };
  const way = chances === null ? null : wayOf[chances];
  if (way === null) return null;
  const isOfSlope = chances === 'bold' || chances === 'shy';
  const isSo = ({ rows, said, came }: CheckedBin, at: number) =>
    Math.abs(said - came) > Math.sqrt((came * (1 - came)) / rows) &&
    (way === 0 || way * (said - came) * (isOfSlope && at < bins.length / 2 ? -1 : 1) > 0);
  const last = bins.at(-1);
  if (isOfSlope && last && isSo(last, bins.length - 1)) return last;
  const byCases = ({ rows, said, came }: CheckedBin) => rows * Math.abs(said - came);
  return bins.filter(isSo).toSorted((one, other) => byCases(other) - byCases(one))[0] ?? null;
}

export function judgeChances({ others, checked }: Pick<Figures, 'others' | 'checked'>): Chances {
  if (!isOfChances({ others })) return null;
  if (checked === null) return 'unknown';
  const { rows, said, came, error, errorMax, z } = checked;
  const isWrong = error > errorMax && Math.abs(z) > zMax;
  const [low, high] = rateInterval(came, rows, zMax);
  if (isWrong || !fewToCheck(checked)) {
    if (said < low) return 'low';
    if (said > high) return 'high';
    const slope = slopeInterval(checked, zMax);
    if (slope && slope[1] < 1) return 'bold';
    if (slope && slope[0] > 1) return 'shy';
    return isWrong ? 'wrong' : 'right';
  }
  return 'unknown';
}

/** How often something came among the newest cases and among those before; the days are told where they are known. */
export type Shift = { readonly newest: Cases; readonly before: Cases };
type Cases = { readonly rows: number; readonly came: number; readonly from: string | null; readonly to: string | null };

/** Of the newest cases, as many as tell a rate: a tenth, and these at least. */
const [newestShare, newestLeast] = [0.1, 100];
/** From these odds on, chance aside, an outcome is another one than it was. */
const oddsLeast = 2;

/**
 * Whether the newest cases are of another kind than those before: how often it came has moved by more than chance and
 * so far that what was learned of the older ones says little of them. By months where they are told, else by the cases
 * that chances were checked on and those that set them. Null where it has not.
 */
export function shiftOf(figures: Figures): Shift | null {
  if (!isOfChances(figures)) return null;
  return [shiftOfMonths(figures), shiftOfChecked(figures)].find((shift) => shift && isFar(shift)) ?? null;
}

function shiftOfMonths({ months }: Figures): Shift | null {
  const all = casesOf(months);
  const least = Math.max(newestLeast, newestShare * all.rows);
  let at = months.length;
  while (at > 0 && casesOf(months.slice(at)).rows < least) at--;
  return at === 0 ? null : { newest: casesOf(months.slice(at)), before: casesOf(months.slice(0, at)) };
}

function casesOf(months: Figures['months']): Cases {
  const rows = months.reduce((sum, month) => sum + month.rows, 0);
  const came = months.reduce((sum, month) => sum + month.rows * month.mean, 0) / Math.max(rows, 1);
  const [from, to] = [months[0], months.at(-1)].map((one) => (one ? `${one.month}-01` : null));
  return { rows, came, from, to };
}

function shiftOfChecked({ rows, positives, checked }: Figures): Shift | null {
  if (rows === null || positives === null || checked === null || checked.rows >= rows) return null;
  const before = rows - checked.rows;
  const came = Math.max(0, positives - checked.came * checked.rows) / before;
  const { from = null, to = null } = checked.days ?? {};
  return {
    newest: { rows: checked.rows, came: checked.came, from, to },
    before: { rows: before, came, from: null, to: null },
  };
}

function isFar({ newest, before }: Shift): boolean {
  if (newest.rows < newestLeast || before.rows < newestLeast) return false;
  const odds = (share: number) => share / (1 - share);
  const [rarer, other] = [newest, before].toSorted((one, two) => one.came - two.came);
  return odds(rateInterval(other.came, other.rows)[0]) > oddsLeast * odds(rateInterval(rarer.came, rarer.rows)[1]);
}

/** What the figures of outputs say and the training did not warn of, by the code that it would have. */
export function unwarnedOf(
  outputs: readonly Figures[],
  warnings: readonly Warned[],
): readonly { readonly code: string; readonly output: string; readonly of: Figures }[] {
  return outputs.flatMap((of) => {
    const chances = judgeChances(of);
    const codes = [
      ...(shiftOf(of) ? ['outcome_moved'] : []),
      ...(chances === null || chances === 'right' ? [] : [codeOf(chances)]),
    ];
    return codes
      .filter((code) => !warnings.some((one) => one.code === code && one.output === of.name))
      .map((code) => ({ code, output: of.name, of }));
  });
}

const codeOf = (chances: Chances) => (chances === 'unknown' ? 'calibration_unknown' : 'poorly_calibrated');

/** All that speaks against a version: what its training warned of, and what its figures say beside. */
export function foundOf({ metrics, warnings }: Found): readonly Warned[] {
  return [...warnings, ...unwarnedOf(figuresOf(metrics), warnings)];
}
type Found = { readonly metrics: unknown; readonly warnings: readonly Warned[] };

/** Whether what is said of the chances of an output is among that. */
export function isToldOfChances(output: string, found: readonly Warned[]): boolean {
  return found.some(({ code, output: of }) => of === output && ofChances.has(code));
}

/** Warnings of chances, which say what is wrong with them. */
export const ofChances: ReadonlySet<string> = new Set(['poorly_calibrated', 'calibration_unknown']);

/** Whether an output is a probability, by the metrics that it has. */
export const isOfChances = ({ others: { auroc, brier } }: Pick<Figures, 'others'>): boolean =>
  // Where all rows have one outcome there is no AUROC.
  auroc !== undefined || brier !== undefined;

/** The interval of a share of rows (Wilson 1927), of 95 % or of so many standard errors. */
export function rateInterval(share: number, rows: number, errors = standardErrors): readonly [number, number] {
  const square = errors ** 2;
  const middle = (share + square / (2 * rows)) / (1 + square / rows);
  const half = (errors / (1 + square / rows)) * Math.sqrt((share * (1 - share)) / rows + square / (4 * rows ** 2));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** The interval of the slope of what came over what was said, which is 1 of right probabilities. */
export function slopeInterval(
  { slope, slopeError }: Checked,
  errors = standardErrors,
): readonly [number, number] | null {
  if (slope === null || slopeError === null) return null;
  return [slope - errors * slopeError, slope + errors * slopeError];
}
