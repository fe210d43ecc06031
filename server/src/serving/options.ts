import type { AskedMoments } from '../ml/inference/anchors.ts';
import type { PredictOptions } from '../ml/inference/predict.ts';

/** The number of factors in an answer when the caller does not say how many. */
export const factorsTold = 4;

/** What the caller wants in the answers. */
export type Wishes = {
  readonly language: PredictOptions['language'];
  readonly factors?: number;
  /** Whether answers contain their interval. */
  readonly interval?: boolean;
  /** Whether answers contain their explanation. */
  readonly explanation?: boolean;
  /** Whether answers contain what was not known. */
  readonly unknown?: boolean;
  /** Whether answers say what their rows do not meet of whom the question is about. */
  readonly outside?: boolean;
};

/** The predict options for the rows of a request, a file or a command. */
export function optionsOf<Moments extends AskedMoments>(
  { language, factors = factorsTold, interval = false, explanation = false, unknown = false, outside = false }: Wishes,
  { asOf, dataUntil }: Moments,
): PredictOptions & Moments {
  return { asOf, dataUntil, factors, language, interval, explanation, unknown, outside } as PredictOptions & Moments;
}
