import { type Feature, labelsTable } from '../features/feature.ts';
import { pickRows } from '../heads/head.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { evaluateQuestions, type LearningData } from './learning-data.ts';
import type { Questions } from './questions.ts';

/** Computes the features that read earlier labels as if no label after a given moment were known. */
export type LabelHistory = {
  /** The indices of features that read earlier labels. */
  readonly columns: ReadonlySet<number>;
  /** Rows of the questions' matrix, with these features as if the last label had become known at `moment`. */
  readonly asOf: (matrix: FeatureMatrix, rows: Int32Array, moment: number) => FeatureMatrix;
};

/** Null where no feature reads earlier labels. */
export function openLabelHistory(
  data: LearningData,
  features: readonly Feature[],
  questions: Questions,
): LabelHistory | null {
  const columns = Array.from(features.keys()).filter((f) => readsLabels(features[f]));
  if (columns.length === 0) return null;
  const reading = columns.map((f) => features[f]);
  return {
    columns: new Set(columns),
    asOf(matrix, rows, moment) {
      const stopped = evaluateQuestions(data, reading, {
        example: rows.map((q) => questions.example[q]),
        until: Float64Array.from(rows, (q) => questions.until[q]),
        weight: Float64Array.from(rows, (q) => questions.weight[q]),
        labelled: moment,
      });
      const picked = pickRows(matrix, rows);
      columns.forEach((f, k) => {
        picked.values.set(stopped.values.subarray(k * rows.length, (k + 1) * rows.length), f * rows.length);
      });
      return picked;
    },
  };
}

function readsLabels({ read }: Feature): boolean {
  return read.kind === 'words' || ('events' in read && read.events.table === labelsTable);
}
