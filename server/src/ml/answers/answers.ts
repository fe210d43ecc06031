import { assert } from '../../lib/failure.ts';
import type { Column } from '../../lib/files/column.ts';
import { numberField, textField } from '../kinds/fields.ts';
import type { Answer, KnownOutput, Values } from '../kinds/kind.ts';
import { horizonNamesOf, kindNamed } from '../kinds/kinds.ts';
import { describeTarget } from '../tasks/describe.ts';
import type { Task } from '../tasks/task.ts';
import type { Field } from '../version/schema.ts';
import { agreeing, isOneEvent } from './horizons.ts';

/** How much of what is read of a row has a value. All inputs may be known of somebody without much history. */
export const coverageShare: Field = numberField(
  'data_coverage_share',
  "History: the share of the model's importance that comes by what has a value for this row, 0 to 1.",
  { example: 1, minimum: 0, maximum: 1 },
);

/** The output fields of a version, in the order they are written. */
export function outputFields(task: Task, outputs: readonly KnownOutput[]): Field[] {
  return [
    ...answersOf(task, outputs).map(({ field }) => field),
    textField(
      'data_coverage',
      'Inputs: whether they were given, and whom they name was in the data with events (full). It says nothing of how much history there is.',
      'full',
      { enum: ['full', 'partial', 'none'] },
    ),
    coverageShare,
    textField('as_of', 'The moment the prediction is made for.', '2024-12-31T23:59:59Z', { type: 'timestamp' }),
  ];
}

/** The columns of the fields specific to the kind of task. `values`: per output. */
export function answerColumns(
  task: Task,
  outputs: readonly KnownOutput[],
  given: Omit<Values, 'of'> & { readonly values: readonly Float64Array[] },
): ReadonlyMap<string, Column> {
  const { values, ...rest } = given;
  const answered = answeredValues(task, values, rest.rows);
  const of = (name: string) => {
    const o = outputs.findIndex((output) => output.name === name);
    assert(o >= 0, `${name} is an output`);
    return answered[o];
  };
  return new Map(answersOf(task, outputs).map(({ field, column }) => [field.name, column({ ...rest, of })]));
}

/** The values of the outputs as answers have them: of one event over growing horizons, they agree. */
export function answeredValues(task: Task, values: readonly Float64Array[], rows: number): readonly Float64Array[] {
  return horizonNamesOf(task.kind) !== undefined || isOneEvent(task) ? agreeing(task, values, rows) : values;
}

function answersOf({ kind, target, heads, label }: Task, outputs: readonly KnownOutput[]): readonly Answer[] {
  const events = target
    ? outputs.map((_, o) => (heads ? describeTarget(heads[o].target!, 0) : describeTarget(target, o)))
    : null;
  return kindNamed(kind).answers(outputs, { events, label });
}
