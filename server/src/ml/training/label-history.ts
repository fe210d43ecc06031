import { type Feature, labelsTable, yearDays } from '../features/feature.ts';
import { pickRows } from '../heads/head.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import type { Examples } from '../tasks/examples.ts';
import { evaluateQuestions, type LearningData } from './learning-data.ts';
import type { Questions } from './questions.ts';

/** Computes the features that read earlier labels as if no label after a given moment were known. */
export type LabelHistory = {
  /** The indices of features that read earlier labels. */
  readonly columns: ReadonlySet<number>;
  /** Those of them that read labels of earlier years, which are known however late the newest labels come. */
  readonly ofYearsAgo: ReadonlySet<number>;
  /** Rows of the questions' matrix, with these features as if the last label had become known at `moment`. */
  readonly asOf: (matrix: FeatureMatrix, rows: Int32Array, moment: number) => Promise<FeatureMatrix>;
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
    ofYearsAgo: new Set(columns.filter((f) => readsYearsAgo(features[f]))),
    async asOf(matrix, rows, moment) {
      const stopped = await evaluateQuestions(data, reading, {
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

/** With fewer labels of the rarer kind than this, a rate of earlier labels says little but what month it is. */
const knownLabelsMin = 10;

/**
 * Whether earlier labels can tell training rows apart: whether, when most of the questions are asked, at least
 * `knownLabelsMin` labels are known that are not the most frequent one. Where outcomes have only begun to come, rates
 * of earlier labels are next to nothing through training, and a model would learn from them when each row came.
 */
export function areLabelsTelling({ at, labels, closes }: Examples, pool: Int32Array, { example }: Questions): boolean {
  const labelled = pool.filter((i) => !Number.isNaN(labels[i]));
  const counts = new Map<number, number>();
  for (const i of labelled) counts.set(labels[i], (counts.get(labels[i]) ?? 0) + 1);
  const usual = [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
  const known = Float64Array.from(
    labelled.filter((i) => labels[i] !== usual),
    (i) => closes[i],
  ).sort();
  const since = known[knownLabelsMin - 1] ?? Number.POSITIVE_INFINITY;
  return 2 * example.filter((i) => at[i] >= since).length >= example.length;
}

export function readsLabels({ read }: Feature): boolean {
  return read.kind === 'words' || ('events' in read && read.events.table === labelsTable);
}

function readsYearsAgo({ read }: Feature): boolean {
  return 'span' in read && 'season' in read.span && read.span.ago >= yearDays;
}
