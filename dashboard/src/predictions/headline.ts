import type { Schemas } from '@lastro/sdk';
import type { Format } from '../words/format.ts';
import { horizonsOf, isProbability, type OutputField, type Outputs, sayOutput } from './answer-fields.ts';

export type Prediction = Schemas['Prediction'];

/** The fields that say an answer in one number or word, of every kind of model; the first that an answer has. */
const headlines = [
  ...['score', 'fraud_score', 'conversion_probability', 'propensity_score', 'lead_score', 'churn_risk'],
  ...['probability', 'prediction'],
];

/** The field that says an answer best: its score, its probability, its class, or that of its longest horizon. */
export function headlineField(outputs: Outputs): string | undefined {
  return headlines.find((field) => outputs[field] !== undefined) ?? horizonsOf(outputs).at(-1)?.field;
}

/** What an answer says in its headline, as it was answered: for files that programs read. */
export function headlineValue(outputs: Outputs): string | number | null {
  const field = headlineField(outputs);
  const value = field === undefined ? null : outputs[field];
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/**
 * An answer in a few words. `kind` of its model tells whether a prediction is a probability; `declared` outputs of its
 * version tell more.
 */
export function headlineOf(
  outputs: Outputs,
  format: Format,
  { kind, declared }: { readonly kind?: string; readonly declared?: OutputField } = {},
): string {
  const field = headlineField(outputs);
  if (field === undefined) return '';
  const value = outputs[field];
  if (typeof value === 'number' && !declared && kind === 'binary' && !isProbability(field, undefined))
    return format.percent(value);
  return sayOutput(field, value, declared, format);
}

export const outputsOf = ({ outputs }: Pick<Prediction, 'outputs'>): Outputs => (outputs ?? {}) as Outputs;

/** The sentences of an answer, under whichever name its kind has them. */
export function factorsOf(outputs: Outputs): readonly string[] {
  const factors = outputs.key_factors ?? outputs.risk_factors;
  return Array.isArray(factors) ? factors.filter((one) => typeof one === 'string') : [];
}
