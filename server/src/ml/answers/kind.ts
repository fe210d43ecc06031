import type { Column } from '../../lib/files/column.ts';
import { type Cohort, cohortQuantile } from '../calibration/cohort.ts';
import type { ToldFlag } from '../network/network.ts';
import type { Objective } from '../tasks/objective.ts';
import type { Task } from '../tasks/task.ts';
import type { Field } from '../version/schema.ts';

/** What the answers of a kind of task are, by the outputs that a version of it has. */
export type AnswerKind = {
  /** The fields of the answer, in order. */
  fields(task: Task, outputs: readonly Answered[]): Field[];
  /** Their columns, of which those with reasons come from `told`. */
  columns(task: Task, outputs: readonly Answered[], values: Values): ReadonlyMap<string, Column>;
};

/** An output of a version. */
export type Answered = { readonly name: string; readonly objective: Objective; readonly cohort: Cohort };

export type Values = {
  readonly rows: number;
  /** Per output: a probability or number per row, or row-major rows × classes. */
  readonly values: readonly Float64Array[];
  /** What moved each answer, as JSON lists of sentences. */
  readonly told: Column;
  /** Who stands near; for kinds that `readsNetwork`. */
  readonly network: () => NetworkAnswers;
};

export type NetworkAnswers = {
  flags(): readonly (readonly ToldFlag[])[];
  warmPaths(): Float64Array;
};

/** How a field is written that holds JSON in files and is a value of its own in JSON bodies. */
export const jsonFormat = 'json';

const exampleProbability = 0.05;
const exampleFactors = JSON.stringify(['number of events in the last 90 days: 3 (usually 1)']);

export function probabilityField(name: string, description: string): Field {
  return numberField(name, description, { example: exampleProbability, minimum: 0, maximum: 1 });
}

export function numberField(name: string, description: string, rest: Partial<Field>): Field {
  return { name, type: 'number', required: true, description, example: 1, pii: false, ...rest };
}

export function textField(name: string, description: string, example: string, rest: Partial<Field> = {}): Field {
  return { name, type: 'string', required: true, description, example, pii: false, ...rest };
}

export function factorsField(name: 'key_factors' | 'risk_factors'): Field {
  const description = 'What moved the answer most, as a JSON list of sentences.';
  return textField(name, description, exampleFactors, { format: jsonFormat });
}

/** A usual answer of an output, as an example has it. */
export function typical({ cohort }: Answered): number {
  return Number(cohortQuantile(cohort, 0.5).toPrecision(3));
}

export function numberColumn(values: Float64Array): Column {
  return { kind: 'number', values };
}

/** The number of the most probable class of each row; of equal ones the first. */
export function mostProbable(probabilities: Float64Array, classes: number): Int32Array {
  return Int32Array.from({ length: probabilities.length / classes }, (_, row) => {
    const own = probabilities.subarray(row * classes, (row + 1) * classes);
    return own.indexOf(own.reduce((a, b) => Math.max(a, b)));
  });
}
