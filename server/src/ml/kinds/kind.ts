import type { Column, LogicalType } from '../../lib/files/column.ts';
import type { Cohort } from '../calibration/cohort.ts';
import type { MetricName } from '../statistics/metrics.ts';
import type { Objective, ObjectiveKind } from '../statistics/objective.ts';

/**
 * A kind of prediction: what it learns and what it answers. All that parsing, training, answering and the documents
 * know of a kind is read off this object, so `ml/kinds` lies below them and knows no task: what a kind needs of one is
 * `Asked`.
 */
export type PredictionKind = {
  /** As tasks name it. */
  readonly name: string;
  readonly learns: OneAnswer | AnswerByHorizon | Heads;
  /** What it may be evaluated by, of the output that decides; the first where a task says none. */
  readonly metrics: readonly [MetricName, ...MetricName[]];
  /** Whether more of the deciding output is worse: explanations then call each factor better or worse. */
  readonly higherIsWorse?: boolean;
  /** Whether its answers tell of those who stand near. */
  readonly readsNetwork?: boolean;
  /**
   * A number from 0 to 1000 that falls as the probability of the last output rises: its bounds are told with those of
   * the outputs, and the report says what accepting from a score on would have meant. `field`: the answer's field that
   * holds it.
   */
  readonly score?: { readonly field: string; of(probability: number): number };
  /**
   * The fields of the answer, in order, by the outputs that a version has; `data_coverage` and `as_of` come after them.
   */
  answers(outputs: readonly Answered[], asked: Asked): readonly Answer[];
  /** A definition with everything it can learn, of a seller with `customer`, `purchase`, `visit` and `chargeback`. */
  readonly example: string;
};

/** One thing to know, over one horizon or several, of which the longest decides. */
export type OneAnswer = { readonly objective: ObjectiveKind };

/** Probabilities of one event by growing horizons, which agree; the longest decides. */
export type AnswerByHorizon = {
  readonly objective: 'binary';
  readonly horizons: {
    nameOf(days: number): string;
    /** What a task must say the days for, after "<kind> says". */
    readonly about: string;
  };
};

/** Several things about the same rows at the same moments, the one that decides first. */
export type Heads = { readonly heads: readonly [HeadRule, ...HeadRule[]] };

export type HeadRule = {
  /** As tasks name it; its output is called the same. */
  readonly name: string;
  readonly required: boolean;
  readonly about: string;
  /**
   * What it is evaluated by, where not as its objective is: what something is worth is a mean, of which a median says
   * nothing.
   */
  readonly metric?: MetricName;
  /** What its bounds are called, where not as the head is. */
  readonly bounds?: string;
} & ({ readonly objective: 'binary' | 'regression' } | { readonly objective: 'multiclass'; readonly classes: Change });

/** Classes of how a sum or count changes. */
export type Change = {
  /** In order of class number. */
  readonly names: readonly string[];
  /**
   * The number of the class by the sums over the window behind the anchor and the one ahead, which are equally long.
   */
  of(past: number, future: number): number;
};

/** An output of a version. */
export type Answered = { readonly name: string; readonly objective: Objective; readonly cohort: Cohort };

/** What a task asks, as descriptions say it. */
export type Asked = {
  /** Per output what is to come about, after "Probability of" or "Expected"; null where labels come in files. */
  readonly events: readonly string[] | null;
  /** Column of those files. */
  readonly label: string;
};

/** A field of the answer, and how its column is made. */
export type Answer = { readonly field: OutputField; column(values: Values): Column };

export type OutputField = {
  readonly name: string;
  readonly type: LogicalType;
  readonly required: boolean;
  readonly description: string;
  readonly format?: string;
  readonly unit?: string;
  /** A value that may stand here, as JSON has it; nobody's own. */
  readonly example: string | number | boolean;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pii: boolean;
};

/** What is known of the rows that are answered. */
export type Values = {
  readonly rows: number;
  /** By an output's name a probability or number per row, or row-major rows × classes. */
  of(output: string): Float64Array;
  /** What moved each answer, as JSON lists of sentences. */
  readonly told: Column;
  /** Who stands near; for kinds that `readsNetwork`. */
  readonly network: () => NetworkAnswers;
};

export type NetworkAnswers = {
  /** Per row the links to those known for what is asked, each a JSON value. */
  flags(): readonly (readonly object[])[];
  /** Per row the number of paths through those known for it. */
  warmPaths(): Float64Array;
};
