import { microsecondsPerDay } from '../contract/contract.ts';
import { evaluate } from '../features/evaluate.ts';
import type { Feature } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import type { Anchors } from '../features/state.ts';
import { earlierDays } from './find.ts';
import { type LeakageTask, type ToldLeak, tellLeaks } from './tell.ts';

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
 * and as of a day earlier. Throws Failure 'invalid' (`leakage_found`) as `tellLeaks` does.
 */
export function searchLeakage(
  subject: { readonly task: LeakageTask; readonly graph: Graph },
  features: readonly Feature[],
  { anchors, ...asked }: LabelledAnchors,
): ToldLeak[] {
  const earlier = anchors.readableUntil.map((moment) => moment - earlierDays * microsecondsPerDay);
  return tellLeaks(
    {
      ...asked,
      features,
      at: anchors.at,
      now: evaluate(subject.graph, features, anchors),
      earlier: evaluate(subject.graph, features, { ...anchors, readableUntil: earlier }),
    },
    subject,
  );
}
