import { rankCorrelation } from '../evaluation/compare.ts';
import { columnsRead } from '../explain/lineage.ts';
import { keyValue } from '../graph/keys.ts';
import type { Table, Tables } from '../graph/tables.ts';
import type { OpenVersion } from '../inference/predict.ts';
import { type Examples, entityTable, pickExamples } from '../tasks/examples.ts';
import { endOfData } from '../tasks/layout.ts';
import { textOfDay } from '../tasks/target.ts';
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
  };
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
