import { rankCorrelation } from '../evaluation/compare.ts';
import { columnsRead } from '../explain/lineage.ts';
import { keyValue } from '../graph/keys.ts';
import type { Table, Tables } from '../graph/tables.ts';
import type { OpenVersion } from '../inference/predict.ts';
import { type Objective, widthOf } from '../statistics/objective.ts';
import { bootstrapEstimates, type Estimate, type Resampling, resamplingOf } from '../statistics/standard-errors.ts';
import { type Examples, entityTable, pickExamples } from '../tasks/examples.ts';
import { endOfData } from '../tasks/layout.ts';
import { textOfDay } from '../tasks/target.ts';
import { isTold } from './by-labels.ts';
import { predictRows } from './judged-rows.ts';
import { presentRows } from './present.ts';
import type { ValidationReport } from './report.ts';

/** Versions opened on data as they were once. */
export type Earlier = {
  readonly model: OpenVersion;
  readonly compareWith: OpenVersion | null;
  readonly tables: Tables;
  /** Nothing later was known then, microseconds. */
  readonly until: number;
};

const rowsMin = 50;

/**
 * Asks versions about one moment twice: from the data as they were then, and from the data as they are, which must tell
 * no more of that moment. Where answers differ, values have changed that carry no date. `labels`: whom the task is
 * about, where it takes its labels from files. Correlations are Spearman's; null where too few rows are in both, or the
 * version reads what the earlier data did not have.
 */
export function replayEarlier(
  model: OpenVersion,
  compareWith: OpenVersion | null,
  tables: Tables,
  earlier: Earlier,
  o: number,
  labels: Examples,
  until: number,
): ValidationReport['replay'] {
  const { task } = model.version;
  if (lacks(earlier.tables, model)) return null;
  const end = Math.min(earlier.until, endOfData(earlier.tables, earlier.until));
  const known = pickExamples(
    labels,
    Array.from(labels.at.keys()).filter((i) => labels.at[i] <= end),
  );
  const asked = presentRows(model, tables, known, end);
  const rowThen = rowsByKey(entityTable(task, tables), entityTable(task, earlier.tables));
  const both = Array.from(asked.rows.keys()).filter((k) => rowThen(asked.rows[k]) !== undefined);
  if (both.length < rowsMin) return null;
  const at = Float64Array.from(both, (k) => asked.at[k]);
  const now = Int32Array.from(both, (k) => asked.rows[k]);
  const then = now.map((row) => rowThen(row)!);
  const correlate = (before: OpenVersion, opened: OpenVersion) =>
    rankCorrelation(predictRows(before, o, then, at, end), predictRows(opened, o, now, at, end));
  return {
    rows: both.length,
    at: textOfDay(end),
    model: correlate(earlier.model, model),
    compare_with: compareWith && earlier.compareWith && correlate(earlier.compareWith, compareWith),
    hindsight: hindsightOf(model, compareWith, earlier, o, labels, rowThen, end, until),
  };
}

/**
 * Of labelled rows whose windows were open when the earlier data ended: how much of what the present data change of a
 * version's predictions, as of the same moments, came. 0: what changed knows nothing of outcomes, or nothing changed;
 * 1: all of it came, as where an outcome is written into a column without a date. Null with too few rows.
 */
function hindsightOf(
  model: OpenVersion,
  compareWith: OpenVersion | null,
  earlier: Earlier,
  o: number,
  labels: Examples,
  rowThen: (row: number) => number | undefined,
  end: number,
  until: number,
): NonNullable<ValidationReport['replay']>['hindsight'] {
  const { objective } = model.version.outputs[o];
  const isOpen = (i: number) => labels.at[i] <= end && labels.closes[i] > end && rowThen(labels.rows[i]) !== undefined;
  const { rows, at, labels: came } = pickExamples(labels, Array.from(labels.rows.keys()).filter(isOpen));
  if (!isTold({ labels: came }, objective)) return null;
  const then = rows.map((row) => rowThen(row)!);
  const borneOut = (before: OpenVersion, opened: OpenVersion) =>
    shareBorneOut(
      outcomesOf(came, objective),
      predictRows(before, o, then, at, end),
      predictRows(opened, o, rows, at, until),
      resamplingOf(at, rows),
    );
  return {
    rows: rows.length,
    model: borneOut(earlier.model, model),
    compare_with: compareWith && earlier.compareWith && borneOut(earlier.compareWith, compareWith),
  };
}

/** What came, in the unit of predictions: of classes, 1 for the one that came and 0 for each other. */
function outcomesOf(labels: Float64Array, objective: Objective): Float64Array {
  if (objective.kind !== 'multiclass') return labels;
  const width = widthOf(objective);
  return new Float64Array(labels.length * width).map((_, k) => Number(labels[Math.floor(k / width)] === k % width));
}

/**
 * The slope of what came, less what was predicted before, on what is predicted now, less the same (least squares with
 * an intercept), with its interval by a bootstrap of whole rows. 0 where no prediction has changed.
 */
export function shareBorneOut(
  came: Float64Array,
  before: Float64Array,
  now: Float64Array,
  resampling: Resampling,
): Estimate {
  const width = came.length / resampling.groups.length;
  const changes = now.map((value, k) => value - before[k]);
  if (changes.every((change) => change === 0)) return { value: 0, low: 0, high: 0 };
  const slope = (weights: Float64Array | null) => {
    let [all, ofChange, ofRest, square, product] = [0, 0, 0, 0, 0];
    for (const [k, change] of changes.entries()) {
      const weight = weights === null ? 1 : weights[Math.floor(k / width)];
      const rest = came[k] - before[k];
      all += weight;
      ofChange += weight * change;
      ofRest += weight * rest;
      square += weight * change * change;
      product += weight * change * rest;
    }
    const spread = square - (ofChange * ofChange) / all;
    return [spread > 0 ? (product - (ofChange * ofRest) / all) / spread : 0];
  };
  return bootstrapEstimates(slope, resampling)[0];
}

/** Whether a version reads a column that tables do not have: what was not there then is no value that has changed. */
function lacks(tables: Tables, { version: { task, fresh, contract, features } }: OpenVersion): boolean {
  const source = { ...task, fresh, contract };
  return features.some((feature) =>
    columnsRead(source, feature).some(
      ({ table, column }) => table && !tables.get(table.name)?.columns.has(column.name),
    ),
  );
}

/** Finds the row that an entity of a table has in an earlier one. */
function rowsByKey(now: Table, then: Table): (row: number) => number | undefined {
  const [key] = now.contract.key;
  const column = now.columns.get(key)!;
  const lookup = now.numbers?.columns.has(key) ? (then.numbers?.rowOf ?? then.rowOf) : then.rowOf;
  return (row) => {
    const value = keyValue(column, row);
    return value === null ? undefined : lookup.get(value);
  };
}
