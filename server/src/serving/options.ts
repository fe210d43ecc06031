import type { AskedMoments } from '../ml/inference/anchors.ts';
import type { PredictOptions } from '../ml/inference/predict.ts';

/** So many reasons an answer gives where nobody says how many. */
export const factorsTold = 4;

/** How whoever asks wants to be answered. */
export type Wishes = {
  readonly language: PredictOptions['language'];
  readonly factors?: number;
  /** Whether answers come with their bounds. */
  readonly interval?: boolean;
  /** Whether answers say why in full. */
  readonly explanation?: boolean;
};

/** What a version is told with the rows of a request, a file or a command. */
export function optionsOf<Moments extends AskedMoments>(
  { language, factors = factorsTold, interval = false, explanation = false }: Wishes,
  { asOf, dataUntil }: Moments,
): PredictOptions & Moments {
  return { asOf, dataUntil, factors, language, interval, explanation } as PredictOptions & Moments;
}
