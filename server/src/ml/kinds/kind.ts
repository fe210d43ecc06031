import type { Column, LogicalType } from '../../lib/files/column.ts';
import type { Cohort } from '../calibration/cohort.ts';
import type { MetricName } from '../statistics/metrics.ts';
import type { Objective, ObjectiveKind } from '../statistics/objective.ts';

/**
 * A kind of prediction: what it learns and what it answers. Parsing, training, answering and the documentation read
 * everything they need about a kind from this object. `ml/kinds` therefore imports none of them and knows no task; what
 * a kind needs from a task is in `AskedEvents`.
 */
export type PredictionKind = {
  /** The name used in tasks. */
  readonly name: string;
  readonly learns: OneAnswer | AnswerByHorizon | Heads;
  /** Metrics that may evaluate the deciding output. The first is the default. */
  readonly metrics: readonly [MetricName, ...MetricName[]];
  /** Whether the deciding probability is a risk. Reasons then say that they raise or lower the risk, not the chance. */
  readonly isRisk?: true;
  /** Whether its answers include neighbors. */
  readonly readsNetwork?: boolean;
  /**
   * A number from 0 to 1000 that falls as the probability of the last output rises. Its bounds are given with those of
   * the outputs, and the report says what accepting from a given score on would have meant. `field`: the name of the
   * answer's field that holds it. `exact`: the number before rounding.
   */
  readonly score?: { readonly field: string; of(probability: number): number; exact(probability: number): number };
  /**
   * The fields of the answer, in order, for the outputs that a version has. `data_coverage` and `as_of` follow them.
   */
  answers(outputs: readonly KnownOutput[], asked: AskedEvents): readonly Answer[];
  /**
   * A definition with everything the kind can learn, for a seller with `customer`, `purchase`, `visit` and
   * `chargeback`.
   */
  readonly example: string;
};

/** A single output, over one horizon or several. The longest horizon decides. */
export type OneAnswer = { readonly objective: ObjectiveKind };

/** Consistent probabilities of one event over growing horizons. The longest horizon decides. */
export type AnswerByHorizon = {
  readonly objective: 'binary';
  readonly horizons: {
    nameOf(days: number): string;
    /** What the days of a task are for, as the text after "<kind> says" in error messages. */
    readonly about: string;
  };
};

/** Several outputs about the same rows at the same moments. The first head decides. */
export type Heads = { readonly heads: readonly [HeadRule, ...HeadRule[]] };

export type HeadRule = {
  /** The name used in tasks; the head's output has the same name. */
  readonly name: string;
  readonly required: boolean;
  readonly about: string;
  /**
   * What it is evaluated by, when not by the default of its objective: the worth of something is a mean, and a metric
   * of the median says nothing about it.
   */
  readonly metric?: MetricName;
  /** Name of its bounds, when it is not the name of the head. */
  readonly bounds?: string;
} & ({ readonly objective: 'binary' | 'regression' } | { readonly objective: 'multiclass'; readonly classes: Change });

/** Classes of the change of a sum or count. */
export type Change = {
  /** In order of class number. */
  readonly names: readonly string[];
  /**
   * The class number, given the sums over the window before the anchor and the one after it, which are equally long.
   */
  of(past: number, future: number): number;
};

/** An output of a version. */
export type KnownOutput = { readonly name: string; readonly objective: Objective; readonly cohort: Cohort };

/** What a task asks, in the words used by descriptions. */
export type AskedEvents = {
  /**
   * For each output the predicted event, as the text after "Probability of" or "Expected"; null for labels from files.
   */
  readonly events: readonly string[] | null;
  /** Label column of those files. */
  readonly label: string;
};

/** A field of the answer, and the function that makes its column. */
export type Answer = { readonly field: OutputField; column(values: Values): Column };

export type OutputField = {
  readonly name: string;
  readonly type: LogicalType;
  readonly required: boolean;
  readonly description: string;
  readonly format?: string;
  readonly unit?: string;
  /** A made-up value that the field may hold, as JSON. */
  readonly example: string | number | boolean;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pii: boolean;
};

/** What is known about the rows being answered. */
export type Values = {
  readonly rows: number;
  /** The values of the output with this name: a probability or number per row, or row-major rows × classes. */
  of(output: string): Float64Array;
  /** What moved each answer most, as JSON lists of sentences. */
  readonly told: Column;
  /** The neighbors of the rows; for kinds with `readsNetwork`. */
  readonly network: () => NetworkAnswers;
};

export type NetworkAnswers = {
  /** For each row, its links to neighbors known for the event asked about, each as a JSON value. */
  flags(): readonly (readonly object[])[];
  /** For each row, the number of paths through neighbors known for the event asked about. */
  warmPaths(): Float64Array;
};
