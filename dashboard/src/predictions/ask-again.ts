import { dayIn } from '../kit/day.ts';
import type { Prediction } from './headline.ts';

type Inputs = Readonly<Record<string, unknown>>;

/**
 * The inputs with which a prediction is asked again as of the same day: one of today is asked as of now, an older one as
 * of the end of its day. The marks of whoever asked it first stay with the first.
 */
export function inputsAgain({ inputs, as_of: asOf }: Pick<Prediction, 'inputs' | 'as_of'>, timeZone: string): Inputs {
  const { correlation_id: _, reference_id: __, ...rest } = (inputs ?? {}) as Inputs;
  if (rest.reference_date !== undefined) return rest;
  const day = dayIn(timeZone, asOf);
  return day < dayIn(timeZone, Date.now()) ? { ...rest, reference_date: day } : rest;
}
