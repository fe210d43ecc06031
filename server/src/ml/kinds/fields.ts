import type { Column } from '../../lib/files/column.ts';
import { cohortQuantile } from '../calibration/cohort.ts';
import type { Answer, KnownOutput, OutputField } from './kind.ts';

/** Format of a field that holds JSON: text in files, a JSON value in JSON bodies. */
export const jsonFormat = 'json';

const exampleProbability = 0.05;
const exampleFactors = JSON.stringify([
  'Number of payments in the last 90 days: 1 (usually 3); raises the risk by 2.1 percentage points',
]);

export function probabilityField(name: string, description: string): OutputField {
  return numberField(name, description, { example: exampleProbability, minimum: 0, maximum: 1 });
}

export function numberField(name: string, description: string, rest: Partial<OutputField>): OutputField {
  return { name, type: 'number', required: true, description, example: 1, pii: false, ...rest };
}

export function textField(
  name: string,
  description: string,
  example: string,
  rest: Partial<OutputField> = {},
): OutputField {
  return { name, type: 'string', required: true, description, example, pii: false, ...rest };
}

/** Names of the fields that hold reasons: for a score, and for a risk. */
export const factorsFields = ['key_factors', 'risk_factors'] as const;

/** The answer field with what moved the prediction most. */
export function factors(name: (typeof factorsFields)[number]): Answer {
  const description =
    'What moved the answer most: a list of sentences, the strongest first. Files hold the list as JSON text.';
  return { field: textField(name, description, exampleFactors, { format: jsonFormat }), column: ({ told }) => told };
}

/** A typical answer of an output, for use as an example: the median of its cohort, to 3 digits. */
export function typical({ cohort }: KnownOutput): number {
  return Number(cohortQuantile(cohort, 0.5).toPrecision(3));
}

export function numberColumn(values: Float64Array): Column {
  return { kind: 'number', values };
}

/** The class number with the highest probability in each row; on ties the lowest number. */
export function mostProbable(probabilities: Float64Array, classes: number): Int32Array {
  return Int32Array.from({ length: probabilities.length / classes }, (_, row) => {
    const own = probabilities.subarray(row * classes, (row + 1) * classes);
    return own.indexOf(own.reduce((a, b) => Math.max(a, b)));
  });
}
