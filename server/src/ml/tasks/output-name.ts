import { horizonNamesOf, type KindName } from '../kinds/kinds.ts';
import { textOfDays } from './target.ts';

/** The name of the output that looks so many days ahead, of a task without heads that has so many outputs. */
export function outputNameOf(kind: KindName, days: number | undefined, outputs: number): string {
  const several = outputs > 1 && days !== undefined ? `prediction_${textOfDays(days)}` : 'prediction';
  return (days === undefined ? undefined : horizonNamesOf(kind)?.nameOf(days)) ?? several;
}
