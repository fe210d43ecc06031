import type { Format } from '../words/format.ts';
import type { Figures } from './figures.ts';
import {
  checkedLeast,
  type Few,
  fewToCheck,
  judge,
  judgeChances,
  rateInterval,
  shownBin,
  slopeInterval,
  zMax,
} from './judge.ts';
import type { verdictWords } from './verdict-words.ts';

type Words = (typeof verdictWords)['en'];

/** What is said of the chances of an outcome, or of its bounds. */
export type SaidChances = {
  /** Whether they are to be trusted. */
  readonly said: string;
  /** The cases that show what is wrong with them. */
  readonly shown: string | null;
  /** The same in the term of the field. */
  readonly slope: string | null;
};

export function sayChances(figures: Figures, w: Words, format: Format): SaidChances | null {
  const { checked, bounds } = figures;
  const chances = judgeChances(figures);
  if (chances === 'unknown') {
    const few = checked && fewToCheck(checked);
    return { said: few ? w.unknown(sayFew(few, w, format)) : w.noneLeft(format.integer(checkedLeast)), ...untold };
  }
  if (chances === null || checked === null)
    return bounds && { said: w.bounds(format.percent(bounds.observed), format.percent(bounds.expected)), ...untold };
  const [low, high] = rateInterval(checked.came, checked.rows);
  // As wide as what it is called right or wrong by: both stand on one page.
  const slope = slopeInterval(checked, zMax);
  const said = w.chances[chances](format.percent(checked.said), format.percent(checked.came));
  const hundredths = (value: number) => format.number(Math.round(100 * value) / 100);
  const count = format.integer(checked.rows);
  const cases = isCheckedOnAll(figures) ? w.checkedAll(count) : w.checkedNewest(count);
  const interval = w.checked(format.percent(low), format.percent(high), cases);
  const bin = shownBin(chances, checked);
  const place = bin === checked.bins.at(-1) ? 'most' : bin === checked.bins[0] ? 'least' : 'between';
  return {
    said: `${said}${interval}`,
    shown:
      bin &&
      w.shown[place](
        ...([format.percent(Math.round((100 * bin.rows) / checked.rows) / 100), format.integer(bin.rows)] as const),
        ...([format.percent(bin.said), format.percent(bin.came)] as const),
      ),
    slope: slope && w.slope(hundredths(checked.slope!), hundredths(slope[0]), hundredths(slope[1])),
  };
}

/** Of how many cases there are how few. */
export const sayFew = ({ of, count, rows, least }: Few, w: Pick<Words, 'few'>, format: Pick<Format, 'integer'>) =>
  w.few[of](format.integer(count), format.integer(rows), format.integer(least));

/** Whether chances were held against what came of all cases that were measured. */
export const isCheckedOnAll = ({ rows, checked }: Figures): boolean =>
  rows === null || checked === null || checked.rows >= rows;

const untold = { shown: null, slope: null };

/**
 * What to do about chances that are not right, or not checked; null where they are right. `others`: the other outcomes
 * of the version. `nameOf`: how an output is called that looks so many days ahead.
 */
export function adviseOnChances(
  figures: Figures,
  others: readonly Figures[],
  w: Words,
  nameOf: (output: string) => string,
): string | null {
  const chances = judgeChances(figures);
  if (chances === null || chances === 'right') return null;
  const shorter = longestBefore(figures.name, others, (other) => judgeChances(other) === 'right');
  const goBy = figures.isOfScore ? w.goBy.band : w.goBy.order;
  return [goBy, w.advice[chances], ...(shorter ? [w.shorter(nameOf(shorter.name))] : [])].join(' ');
}

/** Of the outputs that look less far ahead the furthest that is surely better than a simple rule. */
export const betterSooner = (output: string, others: readonly Figures[]): Figures | undefined =>
  longestBefore(output, others, (other) => judge(other, null) === 'better');

function longestBefore(output: string, others: readonly Figures[], isGood: (other: Figures) => boolean) {
  const days = daysOf(output);
  return others
    .filter((other) => days !== null && (daysOf(other.name) ?? days) < days && isGood(other))
    .toSorted((one, other) => daysOf(other.name)! - daysOf(one.name)!)[0];
}

/** How many days an output looks ahead, where its name says it. */
export function daysOf(output: string): number | null {
  const [, days] = /_(\d+)d$/.exec(output) ?? [];
  return days === undefined ? null : Number(days);
}
