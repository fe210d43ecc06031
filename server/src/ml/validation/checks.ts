/** How a check holds what it measured against its threshold. */
type Rule =
  /** Fails where the value is surely below the threshold: on the same side of 0 with all of its interval. */
  | 'gain'
  /** Fails where the value is off 1 by more than this factor, either way, with all of its interval. */
  | 'factor'
  /** Fails where the value is above the threshold. */
  | 'at_most'
  /** Fails where the value is below the threshold. */
  | 'at_least';

type CheckRule = {
  readonly rule: Rule;
  /** By default. */
  readonly threshold: number;
  /** Whether a version that fails it is kept from aliases, unless the model's gates say otherwise. */
  readonly required: boolean;
  /** What the value is. */
  readonly measures: string;
  /** What may be done about it. */
  readonly advice: string;
};

/**
 * What a version is held against before callers are answered by it. The thresholds of drift are those in common use:
 * a population stability index of 0.25 is a large shift (Siddiqi 2006). The others were chosen on made-up lenders with
 * other seeds than those that `npm run bench -- validations` reports.
 */
export const checkRules = {
  discrimination: {
    ...{ rule: 'gain', threshold: -0.02, required: true },
    measures: "the gain in the task's metric on the same rows, of errors as a share of those of the version before",
    advice: 'it tells rows apart worse: see which inputs or rows it lacks, or keep the version before',
  },
  log_loss: {
    ...{ rule: 'gain', threshold: -0.05, required: true },
    measures: 'the gain in log loss on the same rows, as a share of that of the version before',
    advice: 'its probabilities are further from what came: see its calibration',
  },
  calibration_level: {
    ...{ rule: 'factor', threshold: 1.3, required: true },
    measures: 'what came, as a share of what was predicted',
    advice: 'it predicts too much or too little of everybody: were its labels sampled by what came?',
  },
  calibration_slope: {
    ...{ rule: 'factor', threshold: 2, required: true },
    measures: "Cox's calibration slope: below 1, probabilities are too extreme",
    advice: 'its probabilities spread too far or too little: train on more labels',
  },
  score_meaning: {
    ...{ rule: 'at_most', threshold: 0.25, required: true },
    measures: 'the share of rows in bands in which another rate came than the band means',
    advice: 'its scores mean other rates than those of every version: see calibration',
  },
  distribution: {
    ...{ rule: 'at_most', threshold: 0.25, required: true },
    measures: 'the population stability index of its predictions of the present, against those of the version before',
    advice: 'callers would see other predictions, which no labels bear out',
  },
  rank_consistency: {
    ...{ rule: 'at_least', threshold: 0.3, required: true },
    measures: "Spearman's correlation of its predictions of the present with those of the version before",
    advice: 'it ranks otherwise, which no labels bear out',
  },
  shadow_refusals: {
    ...{ rule: 'at_most', threshold: 0.01, required: true },
    measures: 'the share of what callers asked that it would refuse in the shadow of the version before',
    advice: 'it asks for inputs that callers do not send: see what its shadow refuses',
  },
  // Twice what is asked of the present: callers ask about fewer rows, which are more alike, at other moments. Two
  // versions of the demo that are equal differ by 0.14 in the present, and by 0.23 in what is asked.
  shadow_distribution: {
    ...{ rule: 'at_most', threshold: 0.5, required: true },
    measures: 'the population stability index of its answers in the shadow of the version before, against those given',
    advice: 'callers would get other answers, which no labels bear out',
  },
  population: {
    ...{ rule: 'at_most', threshold: 0.25, required: true },
    measures:
      'the population stability index of its predictions of the present, against those of the rows it is judged on, ' +
      'beyond what the version before sees move as well',
    advice:
      'what it reads is otherwise now than on the rows it is judged on: see missing inputs, units and tables that ended',
  },
  missing_inputs: {
    ...{ rule: 'at_most', threshold: 0.2, required: true },
    measures: 'the share of its importance in inputs that have no value now, and had one on the rows it is judged on',
    advice: 'send what is missing, or train without it',
  },
  hindsight: {
    ...{ rule: 'at_most', threshold: 0, required: true },
    measures:
      'how much for certain came of what the data as they are, rather than as they were, change of its predictions ' +
      'whose outcomes were not known then',
    advice: 'it reads what was filled in later: give such columns knownFrom or knownAt in the contract, or hide them',
  },
  replay: {
    ...{ rule: 'at_least', threshold: 0.97, required: true },
    measures:
      "Spearman's correlation of its predictions from the data as they were with those from the data as they are",
    advice: 'it reads what was filled in later: give such columns knownFrom or knownAt in the contract, or hide them',
  },
  plausibility: {
    ...{ rule: 'at_most', threshold: 0, required: true },
    measures: 'warnings of its training that it is too good to be true',
    advice: 'see the warnings of the version: it may read what was written at the outcome or after it',
  },
  band_migration: {
    ...{ rule: 'at_most', threshold: 0.25, required: false },
    measures: 'the share of entities that move more than one band',
    advice: 'tell callers, whose limits may rest on bands',
  },
  stability: {
    ...{ rule: 'gain', threshold: -0.05, required: false },
    measures: "the gain in the task's metric in the month that it is least in",
    advice: 'it is worse in a month: see what was special in it',
  },
  segments: {
    ...{ rule: 'gain', threshold: -0.05, required: false },
    measures: "the gain in the task's metric in the segment that it is least in",
    advice: 'it is worse for a segment: see whether it has enough of its rows to learn from',
  },
  latency: {
    ...{ rule: 'at_most', threshold: 3, required: false },
    measures: 'the median time of an answer, as a share of that of the version before',
    advice: 'it reads more than the version before, and answers slower',
  },
} as const satisfies Readonly<Record<string, CheckRule>>;

export type CheckName = keyof typeof checkRules;
export const checkNames = Object.keys(checkRules) as readonly CheckName[];

export type CheckStatus = 'passed' | 'failed' | 'cannot_tell';

/** What a check measured. */
export type Measurement = {
  readonly name: CheckName;
  /** Null where there was too little to measure it; `why` says what. */
  readonly value: number | null;
  /** The bounds of a 95 % interval, where one can be told. */
  readonly low: number | null;
  readonly high: number | null;
  /**
   * The same of the version before, where there is one, or of how both differ where labels are known: what is no
   * further off than that does not fail.
   */
  readonly before: number | null;
  /** Whether later labels bear out what differs from the version before. */
  readonly borne_out: boolean;
  /** Why it cannot be told, or where it was measured. */
  readonly why: string | null;
};

export type Check = Measurement & {
  readonly status: CheckStatus;
  readonly threshold: number;
  readonly message: string;
};

/** Holds a measurement against a threshold. */
export function judgeCheck(measured: Measurement, threshold: number): Check {
  const status = statusOf(measured, threshold);
  return { ...measured, status, threshold, message: sayCheck(measured, status, threshold) };
}

function statusOf(measured: Measurement, threshold: number): CheckStatus {
  const { name, value, low, high, before, borne_out: borneOut } = measured;
  if (value === null) return 'cannot_tell';
  const { rule } = checkRules[name];
  if (!isBeyond(rule, value, threshold)) return 'passed';
  if (borneOut || isNoFurther(rule, value, before)) return 'passed';
  return isSure(rule, low, high, threshold) ? 'failed' : 'cannot_tell';
}

/** Whether an interval leaves no doubt: of gains it must lie below 0, of factors beyond the threshold. */
function isSure(rule: Rule, low: number | null, high: number | null, threshold: number): boolean {
  if (low === null || high === null) return true;
  if (rule === 'gain') return high < 0;
  return rule !== 'factor' || low > threshold || high < 1 / threshold;
}

function isBeyond(rule: Rule, value: number, threshold: number): boolean {
  if (rule === 'factor') return offOf(value) > Math.log(threshold);
  return rule === 'at_most' ? value > threshold : value < threshold;
}

/** What is off in the version before, too, is no reason to keep it: allowed is as much, and a quarter more. */
const furtherMin = 1.25;

function isNoFurther(rule: Rule, value: number, before: number | null): boolean {
  if (before === null || rule === 'gain') return false;
  // Too much is another fault than too little.
  if (rule === 'factor') return value < 1 === before < 1 && offOf(value) <= furtherMin * offOf(before);
  return rule === 'at_most' ? value <= furtherMin * before : 1 - value <= furtherMin * (1 - before);
}

/** How far a share is off 1, either way; infinite where it is 0. */
function offOf(share: number): number {
  return share <= 0 ? Number.POSITIVE_INFINITY : Math.abs(Math.log(share));
}

function sayCheck(
  { name, value, low, high, before, borne_out: borneOut, why }: Measurement,
  status: CheckStatus,
  threshold: number,
) {
  const { rule, measures, advice } = checkRules[name];
  if (value === null) return `${measures}: cannot be told${why === null ? '' : `, as ${why}`}`;
  const interval = low === null || high === null ? '' : ` (${round(low)} to ${round(high)})`;
  const limit = { gain: 'at least', at_least: 'at least', at_most: 'at most', factor: 'within a factor of' }[rule];
  const own = `${measures}: ${round(value)}${interval}, ${limit} ${round(threshold)} asked${why === null ? '' : `; ${why}`}`;
  if (status === 'failed') return `${own}; ${advice}`;
  if (status === 'cannot_tell') return `${own}; too few rows to be sure`;
  if (!isBeyond(rule, value, threshold)) return own;
  if (borneOut) return `${own}; later labels bear it out`;
  const isBetween = name === 'distribution' || name === 'rank_consistency' || name === 'shadow_distribution';
  return `${own}; ${isBetween ? 'it is as much on the rows that labels judge' : 'the version before is as far off'} (${round(before!)})`;
}

function round(value: number): string {
  return String(Number(value.toPrecision(3)));
}
