import type { Column } from '../../lib/files/column.ts';
import { describeTarget } from '../tasks/describe.ts';
import type { Field } from '../version/schema.ts';
import { agreeing, isOneEvent } from './horizons.ts';
import {
  type Answered,
  type AnswerKind,
  factorsField,
  mostProbable,
  numberColumn,
  numberField,
  probabilityField,
  textField,
  typical,
} from './kind.ts';

/** A probability, a number or a class: `prediction`, or one per horizon named after it. */
export const custom: AnswerKind = {
  fields: (task, outputs) => [
    ...outputs.flatMap((output, o): Field[] => {
      const { name, objective } = output;
      const what = task.target ? describeTarget(task.target, o) : task.label;
      if (objective.kind === 'multiclass')
        return [
          textField(name, 'The most probable class.', objective.classes[0] ?? '', { enum: objective.classes }),
          ...objective.classes.map((label) =>
            probabilityField(probabilityName(name, label), `Probability of ${label}.`),
          ),
        ];
      if (objective.kind === 'regression')
        return [numberField(name, `Expected ${what}.`, { example: typical(output) })];
      return [probabilityField(name, task.target ? `Probability of ${what}.` : `Probability that ${what} is 1.`)];
    }),
    ...(areClasses(outputs) ? [] : [factorsField('key_factors')]),
  ],
  columns(task, outputs, { rows, values: given, told }) {
    const values = isOneEvent(task) ? agreeing(task, given, rows) : given;
    return new Map<string, Column>([
      ...outputs.flatMap(({ name, objective: { kind, classes } }, o): [string, Column][] => {
        if (kind !== 'multiclass') return [[name, numberColumn(values[o])]];
        const best = mostProbable(values[o], classes.length);
        const own = (c: number) => values[o].filter((_, k) => k % classes.length === c);
        return [
          [name, { kind: 'text', codes: best, dictionary: classes }],
          ...classes.map((label, c): [string, Column] => [probabilityName(name, label), numberColumn(own(c))]),
        ];
      }),
      ...(areClasses(outputs) ? [] : [['key_factors', told] as const]),
    ]);
  },
};

/** What moved one class against the others is not told. */
function areClasses([{ objective }]: readonly Answered[]): boolean {
  return objective.kind === 'multiclass';
}

function probabilityName(output: string, label: string): string {
  return `${output.replace(/^prediction/, 'probability')}_${label}`;
}
