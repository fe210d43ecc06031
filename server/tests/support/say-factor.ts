import type { KnownTask, Telling } from '../../src/ml/explain/lineage.ts';
import { type Language, openWording } from '../../src/ml/explain/wording.ts';
import type { Focus, Read } from '../../src/ml/features/feature.ts';
import { contract } from './samples/explain.ts';

/** What an explanation says of a feature of a customer, where nothing else is asked, with a value and the usual one. */
export function say(
  focus: Focus,
  read: Read,
  value: number,
  usual: number,
  language: Language,
  entity = 'dim_customers',
  asked: KnownTask & Telling = {},
): string {
  const word = openWording({ focus, read }, contract, language, { entity, ...asked });
  return word({ value, usual, contribution: 1, effect: 1 }).statement;
}
