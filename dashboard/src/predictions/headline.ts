import type { Schemas } from '@lastro/sdk';
import type { Format } from '../words/format.ts';

export type Prediction = Schemas['Prediction'];
export type Outputs = Readonly<Record<string, unknown>>;

/** The fields that say an answer in one number, of every kind of model; the first that an answer has. */
const headlines: readonly { readonly field: string; say(value: number, format: Format): string }[] = [
  { field: 'score', say: (value, format) => format.integer(value) },
  ...['fraud_score', 'conversion_probability', 'propensity_score', 'lead_score', 'churn_risk', 'probability'].map(
    (field) => ({
      field,
      say: (value: number, format: Format) => format.percent(value),
    }),
  ),
];

/** An answer in a few words: its score, its probability, its class, or whatever it has first. */
export function headlineOf(outputs: Outputs, format: Format): string {
  for (const { field, say } of headlines) {
    const value = outputs[field];
    if (typeof value === 'number') return say(value, format);
  }
  const first = Object.entries(outputs).find(([, value]) => typeof value === 'number' || typeof value === 'string');
  if (!first) return '';
  return typeof first[1] === 'number' ? format.number(first[1]) : String(first[1]);
}

export const outputsOf = ({ outputs }: Pick<Prediction, 'outputs'>): Outputs => (outputs ?? {}) as Outputs;

/** The sentences of an answer, under whichever name its kind has them. */
export function factorsOf(outputs: Outputs): readonly string[] {
  const factors = outputs.key_factors ?? outputs.risk_factors;
  return Array.isArray(factors) ? factors.filter((one) => typeof one === 'string') : [];
}
