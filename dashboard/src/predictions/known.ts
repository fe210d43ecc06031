import type { Schemas } from '@lastro/sdk';
import type { Outputs } from './answer-fields.ts';

/** Whether nothing was known of whom an answer is about: its number is then what is usual of such. */
export function isOfUnknown({ data_coverage: coverage }: Outputs): boolean {
  return coverage === 'none';
}

/** From this share of the importance on, what has a value is enough to go by. */
const enough = 0.5;

/** Whether little of what the model reads has a value, whichever inputs were known. */
export const isLittleKnown = (share: number): boolean => share < enough;

/** What an answer is warned of. */
export function warningsOf({ warnings }: Outputs): readonly Schemas['PredictionWarning'][] {
  return Array.isArray(warnings) ? (warnings as readonly Schemas['PredictionWarning'][]) : [];
}
