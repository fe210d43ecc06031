import { microsecondsPerDay } from '../contract/contract.ts';
import { evaluate } from '../features/evaluate.ts';
import type { Feature } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import type { Anchors } from '../features/state.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { earlierDays } from './find.ts';
import { findRowLeaks } from './row-leaks.ts';
import { type LeakageTask, type ToldLeak, tellLeaks, tellRowLeaks } from './tell.ts';

/** Questions that a model is to learn from, with their labels: class numbers or numbers, none missing. */
export type LabelledAnchors = {
  readonly anchors: Anchors;
  /** Each question's row in the task's table. */
  readonly rows: Int32Array;
  readonly labels: Float64Array;
  readonly isNumber: boolean;
};

/** Most questions to search: enough to tell leakage from chance. */
export const searchedRowsMax = 4_000;

/**
 * Looks for leakage in the features that a model is to learn from: holds them against the labels, as of the questions
 * and as of a day earlier, as `evaluateAt` evaluates them; and in the rows that the task counts. Throws Failure
 * 'invalid' (`leakage_found`) as `tellLeaks` does.
 */
export async function searchLeakage(
  subject: { readonly task: LeakageTask; readonly graph: Graph },
  features: readonly Feature[],
  { anchors, ...asked }: LabelledAnchors,
  evaluateAt = async (at: Anchors): Promise<FeatureMatrix> => evaluate(subject.graph, features, at),
): Promise<ToldLeak[]> {
  const newest = anchors.at.reduce((last, at) => Math.max(last, at), Number.NEGATIVE_INFINITY);
  const ofRows = tellRowLeaks(findRowLeaks(subject.task, subject.graph.tables, newest), subject.task);
  const earlier = anchors.readableUntil.map((moment) => moment - earlierDays * microsecondsPerDay);
  const ofFeatures = tellLeaks(
    {
      ...asked,
      features,
      at: anchors.at,
      now: await evaluateAt(anchors),
      earlier: await evaluateAt({ ...anchors, readableUntil: earlier }),
    },
    subject,
  );
  return [...ofRows, ...ofFeatures];
}
