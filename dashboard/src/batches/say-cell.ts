import { isProbability, type OutputField, sayOutput } from '../predictions/answer-fields.ts';
import { sayValue } from '../predictions/value-words.ts';
import type { Format } from '../words/format.ts';

/** What a version declares of its outputs, by their names. */
export type Declared = ReadonlyMap<string, OutputField>;

/**
 * A value of a result as answers are said elsewhere on the page: chances as percents, money as money, bounds in brief.
 * CSV has numbers as texts, with a comma or a point. Null for what stands as it was written.
 */
export function sayCell(name: string, value: unknown, declared: Declared | undefined, format: Format): string | null {
  if (name === 'data_coverage' && typeof value === 'string') return sayValue(name, value, format.language);
  if (name === 'interval') return sayBounds(value, declared, format);
  const number = numberOf(value);
  if (number === null) return null;
  if (name === 'data_coverage_share') return format.percent(number);
  const field = declared?.get(name);
  return field || isProbability(name, undefined) ? sayOutput(name, number, field, format) : null;
}

export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  const isNumber = typeof value === 'string' && /^-?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i.test(value);
  return isNumber ? Number(value.replace(',', '.')) : null;
}

/** `pd_30d 3.1% – 5.4% · …`; null where it is no object of bounds. */
function sayBounds(value: unknown, declared: Declared | undefined, format: Format): string | null {
  const bounds = Object.entries(objectOf(value) ?? {});
  if (bounds.length === 0) return null;
  const say = (field: string, bound: unknown) => sayOutput(field, bound, declared?.get(field), format);
  return bounds.map(([field, { lower, upper }]) => `${field} ${say(field, lower)} – ${say(field, upper)}`).join(' · ');
}

type Bounds = Readonly<Record<string, { readonly lower?: unknown; readonly upper?: unknown }>>;

/** Bounds by field, of JSON or as CSV has them; null for anything else. */
function objectOf(value: unknown): Bounds | null {
  if (typeof value === 'string') {
    if (!value.startsWith('{')) return null;
    try {
      return objectOf(JSON.parse(value));
    } catch {
      return null;
    }
  }
  const isBounds =
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((one) => typeof one === 'object' && one !== null);
  return isBounds ? (value as Bounds) : null;
}
