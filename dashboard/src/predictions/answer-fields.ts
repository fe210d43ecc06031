import type { Schemas } from '@lastro/sdk';
import type { Format } from '../words/format.ts';
import { sayValue } from './value-words.ts';

/** An answer of a model, by field. */
export type Outputs = Readonly<Record<string, unknown>>;

export type OutputField = Schemas['ModelField'];
export type Bounds = { readonly lower: number; readonly upper: number };

/** A number of an answer over a time ahead: `pd_90d`, `prediction_30d`. */
export type Horizon = {
  readonly field: string;
  readonly days: number;
  readonly value: number;
  readonly bounds: Bounds | null;
};

/** The numbers of an answer that its name gives days to, the nearest first. */
export function horizonsOf(outputs: Outputs): readonly Horizon[] {
  return Object.entries(outputs)
    .flatMap(([field, value]) => {
      const [, days] = /^(?:pd|prediction)_(\d+)d$/.exec(field) ?? [];
      return days !== undefined && typeof value === 'number'
        ? [{ field, days: Number(days), value, bounds: boundsOf(outputs, field) }]
        : [];
    })
    .sort((one, other) => one.days - other.days);
}

/** The probabilities of classes, the likeliest first. */
export function classesOf(outputs: Outputs): readonly { readonly name: string; readonly value: number }[] {
  return Object.entries(outputs)
    .flatMap(([field, value]) =>
      field.startsWith('probability_') && typeof value === 'number'
        ? [{ name: field.slice('probability_'.length), value }]
        : [],
    )
    .sort((one, other) => other.value - one.value);
}

export function boundsOf(outputs: Outputs, field: string): Bounds | null {
  const interval = outputs.interval as Readonly<Record<string, Bounds>> | undefined;
  return interval?.[field] ?? null;
}

export const explanationOf = ({ explanation }: Outputs): readonly Schemas['ExplainedFactor'][] =>
  Array.isArray(explanation) ? explanation : [];

export const explainedOf = ({ explained }: Outputs): Schemas['Explained'] | null =>
  typeof explained === 'object' && explained !== null ? (explained as Schemas['Explained']) : null;

/** Whether more of a field is good news; `neutral` where the name does not say. */
export function directionOf(field: string | undefined): 'good' | 'bad' | 'neutral' {
  if (field === undefined) return 'neutral';
  if (/^(score|conversion|propensity|lead_score|ltv)/.test(field)) return 'good';
  return /^(pd_|fraud|churn)/.test(field) ? 'bad' : 'neutral';
}

/** Whether a field is a probability: of declared outputs by their bounds, otherwise by its name. */
export function isProbability(field: string, declared: OutputField | undefined): boolean {
  if (declared) return declared.type === 'number' && declared.minimum === 0 && declared.maximum === 1;
  return /^(pd_\d+d|probability_.*|fraud_score|conversion_probability|propensity_score|lead_score|churn_risk)$/.test(
    field,
  );
}

/** A value of an answer as people read it. */
export function sayOutput(field: string, value: unknown, declared: OutputField | undefined, format: Format): string {
  if (typeof value === 'number') {
    if (isProbability(field, declared)) return format.percent(value);
    if (declared?.unit === 'BRL') return format.money(value);
    const said = declared?.type === 'integer' || field === 'score' ? format.integer(value) : format.number(value);
    return declared?.unit ? `${said} ${declared.unit}` : said;
  }
  if (typeof value === 'string') {
    const range = declared?.unit === 'BRL' ? /^(-?[\d.]+)–(-?[\d.]+)$/.exec(value) : null;
    return range
      ? `${format.money(Number(range[1]))} – ${format.money(Number(range[2]))}`
      : sayValue(field, value, format.language);
  }
  return value === null || value === undefined ? '—' : JSON.stringify(value);
}

/** What every answer has around its outputs, or what has a place of its own on a page. */
const around = new Set([
  ...['as_of', 'prediction_id', 'model_id', 'version_id', 'snapshot_id', 'generated_at'],
  ...['data_age', 'language', 'data_coverage', 'data_coverage_share', 'unknown', 'warnings', 'interval'],
  ...['explanation', 'explained', 'key_factors', 'risk_factors', 'network_flags', 'risk_band'],
]);

/** The outputs that are left when headline, horizons and classes have been shown. */
export function othersOf(outputs: Outputs, headline: string | undefined): readonly (readonly [string, unknown])[] {
  return Object.entries(outputs).filter(
    ([field]) =>
      !around.has(field) &&
      field !== headline &&
      !/^(?:pd|prediction)_\d+d$/.test(field) &&
      !field.startsWith('probability_'),
  );
}
