import type { Comparison } from '../evaluation/compare.ts';
import type { Measured } from '../evaluation/measure.ts';
import type { MetricName } from '../statistics/metrics.ts';
import type { Objective } from '../statistics/objective.ts';
import type { Estimate } from '../statistics/standard-errors.ts';
import type { Check } from './checks.ts';
import type { DecisionsRow } from './decisions.ts';
import type { Source } from './judged-rows.ts';
import type { Verdict } from './verdict.ts';

/** A version beside the one that it would replace, on rows that neither has learned from, and at present. */
export type ValidationReport = {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly checks: readonly Check[];
  /** The output that is judged: that of the score, or the one that decides. */
  readonly output: string;
  readonly kind: Objective['kind'];
  readonly metric: MetricName;
  readonly judged: {
    /** Rows with a label that is known, and those of them that flatter neither version. */
    readonly labelled: number;
    readonly rows: number;
    readonly positives: number | null;
    /** How each version came to its predictions of them. */
    readonly model: Readonly<Record<Source, number>>;
    readonly compare_with: Readonly<Record<Source, number>> | null;
    readonly from: string | null;
    readonly until: string | null;
  };
  readonly model: Measured | null;
  readonly compare_with: Measured | null;
  readonly gains: Comparison['gains'] | null;
  readonly months: readonly PartRow[];
  readonly segments: readonly { readonly column: string; readonly values: readonly PartRow[] }[];
  readonly bands: readonly BandRow[];
  readonly present: {
    readonly rows: number;
    readonly at: string;
    /** Rows of each bin of ascending predictions. */
    readonly histogram: readonly {
      readonly from: number | null;
      readonly to: number | null;
      readonly model: number;
      readonly compare_with: number | null;
    }[];
    readonly stability_index: number | null;
    readonly largest_distance: number | null;
    readonly rank_correlation: number | null;
    readonly bands: readonly string[];
    /** Rows by the band before (outer) and the band now (inner). */
    readonly migration: readonly (readonly number[])[] | null;
    /** What would be decided at each cut-off of the score; empty where answers have none. */
    readonly cutoffs: readonly DecisionsRow[];
    /** How both differ on the rows that they are judged on. */
    readonly judged: { readonly stability_index: number; readonly rank_correlation: number | null } | null;
    /** Against the rows that the versions are judged on. */
    readonly since_judged: {
      readonly model: number | null;
      readonly compare_with: number | null;
      /** Of the model, beyond what the version before sees move as well. */
      readonly beside: number | null;
    };
  } | null;
  /** What callers have asked of the version before, which this one answered in its shadow; null where nothing. */
  readonly shadow: {
    readonly answered: number;
    /** Beside those. */
    readonly refused: number;
    readonly from: string;
    readonly until: string;
    /** Of its answers against those that were given. */
    readonly stability_index: number | null;
    readonly largest_distance: number | null;
    readonly rank_correlation: number | null;
  } | null;
  readonly missing: readonly {
    /** `table.column`, or the table whose rows are counted. */
    readonly at: string;
    readonly importance: number;
    readonly judged: number;
    readonly present: number;
  }[];
  readonly replay: {
    readonly rows: number;
    readonly at: string;
    readonly model: number | null;
    readonly compare_with: number | null;
    readonly hindsight: {
      /** Labelled rows whose windows were open when the earlier data ended. */
      readonly rows: number;
      /** How much of what the data as they are now change of predictions came. */
      readonly model: Estimate;
      readonly compare_with: Estimate | null;
    } | null;
  } | null;
  readonly latency: { readonly model: LatencyMs; readonly compare_with: LatencyMs | null } | null;
};

export type LatencyMs = { readonly median_ms: number; readonly p95_ms: number };

/** The rows of a month or of a value, by both versions. */
export type PartRow = {
  readonly name: string | null;
  readonly rows: number;
  readonly positives: number | null;
  readonly mean_predicted: number | null;
  readonly mean_observed: number | null;
  readonly model: number | null;
  readonly compare_with: number | null;
  /** Positive where the version is better; null where the rows are too few. */
  readonly gain: Estimate | null;
};

/** The judged rows of one band of the version: what it means, and what came. */
export type BandRow = {
  readonly name: string;
  readonly rows: number;
  readonly mean_predicted: number;
  readonly observed: number;
  readonly observed_low: number;
  readonly observed_high: number;
  /** The probabilities that the band means. */
  readonly means_from: number;
  readonly means_to: number;
};
