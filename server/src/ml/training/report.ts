import { reliability } from '../calibration/reliability.ts';
import type { ToldLeak } from '../leakage/tell.ts';
import type { Aim } from '../tasks/aim.ts';
import type { Cutoff } from './cutoffs.ts';
import type { LayerReport } from './layers.ts';
import { aurocStandardError, evaluateMetric, type MetricName } from './metrics.ts';

/** How good predictions were: the task's metric with its standard error, and the others a reader will ask for. */
export type Measures = {
  readonly rows: number;
  readonly value: number;
  /** Of the metric, by DeLong for AUROC, else by a jackknife over anchors. */
  readonly standard_error: number;
  readonly others: Readonly<Record<string, number>>;
  readonly reliability?: ReturnType<typeof reliability>;
};

/** What learning a version found: kept in it as report.json. */
export type FitReport = {
  readonly task: string;
  readonly training_rows: number;
  readonly features: number;
  readonly outputs: readonly {
    readonly name: string;
    /** What judged the recipes. */
    readonly metric: MetricName;
    readonly recipe: string;
    readonly trials: readonly unknown[];
    /** On rows later than what the scoring models had learned from. */
    readonly out_of_fold: Measures | null;
    /** Where asked for: what each layer of the model adds on the same rows. */
    readonly layers?: readonly LayerReport[];
    /** Of credit, where the score is made: what accepting from a score on would have meant. */
    readonly cutoffs?: readonly Cutoff[];
  }[];
  readonly notes: readonly string[];
  /** What may tell more of the label than was known. */
  readonly leakage: readonly ToldLeak[];
  readonly unused_columns: readonly unknown[];
};

/** Measures predictions (rows × classes for multiclass). `groups`: rows of one group are not independent. */
export function measure(
  aim: Aim,
  labels: Float64Array,
  predictions: Float64Array,
  groups: readonly number[],
): Measures {
  const value = evaluateMetric(aim.metric, labels, predictions).value;
  const names: MetricName[] =
    aim.kind === 'regression'
      ? ['mae', 'rmse', 'r2']
      : aim.kind === 'multiclass'
        ? ['multiclass_accuracy', 'multiclass_macro_f1', 'multiclass_log_loss']
        : ['auroc', 'average_precision', 'kolmogorov_smirnov', 'log_loss', 'brier'];
  const others = Object.fromEntries(names.map((name) => [name, evaluateMetric(name, labels, predictions).value]));
  const isBinary = aim.kind === 'binary';
  return {
    rows: labels.length,
    value,
    standard_error:
      aim.metric === 'auroc'
        ? aurocStandardError(labels, predictions)
        : jackknife(aim.metric, labels, predictions, groups),
    others,
    ...(isBinary && labels.length >= 100
      ? { reliability: reliability(labels, predictions, { bins: 10, binning: 'equal_count' }) }
      : {}),
  };
}

const jackknifeGroups = 20;

/** Standard error by leaving out twentieths, each of whole groups (Quenouille 1956). */
function jackknife(
  metric: MetricName,
  labels: Float64Array,
  predictions: Float64Array,
  groups: readonly number[],
): number {
  const distinct = [...new Set(groups)].sort((a, b) => a - b);
  const parts = Math.min(jackknifeGroups, distinct.length);
  if (parts < 2) return Number.NaN;
  const partOf = new Map(distinct.map((group, g) => [group, g % parts]));
  const width = predictions.length / labels.length;
  const values = Array.from({ length: parts }, (_, part) => {
    const rows = Array.from(labels.keys()).filter((row) => partOf.get(groups[row]) !== part);
    return evaluateMetric(
      metric,
      rows.map((row) => labels[row]),
      rows.flatMap((row) => [...predictions.subarray(row * width, (row + 1) * width)]),
    ).value;
  });
  const mean = values.reduce((a, b) => a + b, 0) / parts;
  return Math.sqrt(((parts - 1) / parts) * values.reduce((sum, v) => sum + (v - mean) ** 2, 0));
}
