import { rankCorrelation } from '../evaluation/compare.ts';
import { largestDistance } from '../statistics/distributions.ts';
import { type Check, type CheckName, checkNames, checkRules, judgeCheck, type Measurement } from './checks.ts';
import { stabilityIndex } from './distribution.ts';
import type { ValidationReport } from './report.ts';

/** What callers have asked, answered by the version that answers them and by one in its shadow. */
export type ShadowTraffic = {
  /** The deciding outputs of both, in order: probabilities, numbers or class numbers; none is NaN. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Questions that the one in the shadow would refuse, beside those. */
  readonly refused: number;
  /** The days of the first and the last of all of them. */
  readonly from: string;
  readonly until: string;
};

/**
 * With fewer questions nothing is said. The stability index of two samples of n of one distribution is about 18/n,
 * which is far below its threshold of 0.5 then.
 */
const questionsMin = 200;

/** What labels say of how both versions differ where they are known. */
type ByLabels = Pick<Measurement, 'before' | 'borne_out'>;

/** What traffic says of a version; null where it has answered none. */
export function tellShadow(traffic: ShadowTraffic | null, isClass: boolean): ValidationReport['shadow'] {
  if (!traffic) return null;
  const [before, after] = [Float64Array.from(traffic.before), Float64Array.from(traffic.after)];
  const isAny = before.length > 0;
  return {
    ...{ answered: before.length, refused: traffic.refused, from: traffic.from, until: traffic.until },
    stability_index: isAny ? stabilityIndex(before, after) : null,
    largest_distance: isAny && !isClass ? largestDistance(before, after) : null,
    rank_correlation: isAny && !isClass ? rankCorrelation(after, before) : null,
  };
}

/** The checks of a version by what it said in the shadow of the one that it would replace. */
export function measureShadow(shadow: ValidationReport['shadow'], byLabels: ByLabels): Measurement[] {
  const { answered = 0, refused = 0, stability_index: index = null } = shadow ?? {};
  const asked = answered + refused;
  const few = (rows: number) =>
    rows < questionsMin
      ? `it has answered ${rows} questions in the shadow (PUT …/shadows/{version_id}), of ${questionsMin} at least`
      : null;
  const none = { low: null, high: null, before: null, borne_out: false };
  return [
    {
      ...{ name: 'shadow_refusals', ...none },
      value: few(asked) ? null : refused / asked,
      why: few(asked),
    },
    {
      ...{ name: 'shadow_distribution', ...none, ...byLabels },
      value: few(answered) ? null : index,
      why: few(answered),
    },
  ];
}

/** The checks of a report that is kept, with those of the shadow as it is by now. */
export function withShadowNow(checks: readonly Check[], traffic: ShadowTraffic | null): Check[] {
  const isOfShadow = (name: CheckName) => name === 'shadow_refusals' || name === 'shadow_distribution';
  const { before = null, borne_out = false } = checks.find(({ name }) => name === 'distribution') ?? {};
  const measured = measureShadow(tellShadow(traffic, false), { before, borne_out });
  return inOrder([
    ...checks.filter(({ name }) => !isOfShadow(name)),
    ...measured.map((one) => judgeCheck(one, checkRules[one.name].threshold)),
  ]);
}

/** Checks in the order in which they are told. */
export function inOrder(checks: readonly Check[]): Check[] {
  return checks.toSorted((a, b) => checkNames.indexOf(a.name) - checkNames.indexOf(b.name));
}
