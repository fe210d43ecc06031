import type { Feature } from '../features/feature.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { evaluateQuestions, isYesOrNo, type LearningData, type Progress } from './learning-data.ts';
import { type Questions, type Regime, trainingQuestions } from './questions.ts';

/** Questions and their features. */
export type QuestionFeatures = { readonly questions: Questions; readonly matrix: FeatureMatrix };

/**
 * More questions than recipes are compared on, from the examples at or after `since` (microseconds; -Infinity for all).
 */
export type LastQuestions = (since: number) => Promise<QuestionFeatures>;

/** Limits of the final training set: rows × features, and rows. The widest takes half a minute. */
const lastCellsMax = 8_000_000;
const lastRowsMax = 100_000;

/** Null where recipes are already compared on all the questions that fit. */
export function openLastQuestions(
  data: LearningData,
  features: readonly Feature[],
  pool: Int32Array,
  regime: Regime,
  least: number,
  progress: Progress,
): LastQuestions | null {
  const { examples } = data.outputs[0];
  const made = new Map<number, QuestionFeatures>();
  const most = Math.min(lastRowsMax, Math.floor(lastCellsMax / Math.max(1, features.length)));
  if (most <= least) return null;
  return async (since) => {
    let asked = made.get(since);
    if (!asked) {
      const newest = pool.filter((i) => examples.at[i] >= since);
      const questions = trainingQuestions(examples, newest, regime, isYesOrNo(data), most);
      const told = (done: number, of: number) => progress('computing features of more rows', done, of);
      asked = { questions, matrix: await evaluateQuestions(data, features, questions, told) };
      made.set(since, asked);
    }
    return asked;
  };
}
