import type { Feature } from '../features/feature.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import { evaluateQuestions, isYesOrNo, type LearningData, type Progress } from './learning-data.ts';
import { type Questions, type Regime, trainingQuestions } from './questions.ts';

/** Questions and their features. */
export type QuestionFeatures = { readonly questions: Questions; readonly matrix: FeatureMatrix };

/** More questions than recipes are compared on, of the examples from a moment on (microseconds; -Infinity for all). */
export type LastQuestions = (since: number) => QuestionFeatures;

/** Of the last training: rows times features, and rows. Half a minute for the widest. */
const lastCellsMax = 8_000_000;
const lastRowsMax = 100_000;

/** Null where recipes are compared on all the questions there are. */
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
  return (since) => {
    let asked = made.get(since);
    if (!asked) {
      const newest = pool.filter((i) => examples.at[i] >= since);
      const questions = trainingQuestions(examples, newest, regime, isYesOrNo(data), most);
      const told = (done: number, of: number) => progress('computing features of more rows', done, of);
      made.set(since, (asked = { questions, matrix: evaluateQuestions(data, features, questions, told) }));
    }
    return asked;
  };
}
