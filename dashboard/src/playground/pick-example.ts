import type { Schemas } from '@lastro/sdk';
import type { Outputs } from '../predictions/answer-fields.ts';
import { headlineValue, outputsOf } from '../predictions/headline.ts';
import { isOfUnknown, warningsOf } from '../predictions/known.ts';

type Inputs = Readonly<Record<string, unknown>>;
type Asked = Pick<Schemas['Prediction'], 'id' | 'inputs' | 'outputs'>;

/**
 * Of predictions, newest first, one that is worth asking again: at first the one whose answer is in the middle of
 * theirs, since an extreme one explains little, and after one of them (`inputs` has it) the next one away from there.
 */
export function pickExample<A extends Asked>(
  predictions: readonly A[],
  inputs: Inputs,
): { readonly example: A | undefined; readonly isOnlyOne: boolean } {
  const found = new Map<string, A>();
  for (const one of predictions) {
    const key = keyOf(one.inputs as Inputs);
    if (isExample(outputsOf(one)) && !found.has(key)) found.set(key, one);
  }
  const numberOf = (one: A) => Number(headlineValue(outputsOf(one)) ?? Number.NaN) || 0;
  const inOrder = [...found.values()].sort((one, other) => numberOf(one) - numberOf(other));
  const middle = (inOrder.length - 1) / 2;
  const away = inOrder
    .map((one, at) => ({ one, far: Math.abs(at - middle) }))
    .sort((one, other) => one.far - other.far)
    .map(({ one }) => one);
  const shown = away.findIndex((one) => keyOf(one.inputs as Inputs) === keyOf(inputs));
  return { example: away[(shown + 1) % away.length], isOnlyOne: away.length < 2 };
}

/** Warnings of the moment asked about, and not of who was asked about. */
const ofMoment: ReadonlySet<string> = new Set(['stale_data', 'before_learned']);

/** Whether an answer is of somebody whom the data know and the question is about: its inputs are worth asking again. */
function isExample(outputs: Outputs): boolean {
  return !isOfUnknown(outputs) && warningsOf(outputs).every(({ code }) => ofMoment.has(code));
}

/** Inputs as they were asked, without the marks of whoever asked. */
export function withoutMarks({ correlation_id: _, reference_id: __, ...inputs }: Inputs): Inputs {
  return inputs;
}

function keyOf(inputs: Inputs): string {
  return JSON.stringify(Object.entries(withoutMarks(inputs)).sort(([one], [other]) => (one < other ? -1 : 1)));
}
