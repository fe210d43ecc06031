// Values of JSON, in lines of JSONL and in bodies of requests: one rule for both, by which texts read as in CSV.
import type { LogicalType } from './column.ts';
import type { ToldReason } from './row-reasons.ts';
import type { MissingTexts } from './table.ts';
import { fits, mismatch, momentOf, type ValueForm, valueOfText } from './values.ts';

/** Whether a value is missing: null, an empty text, or one that reads as a text that means so. */
export function isAbsent(value: unknown, missing: MissingTexts | null): boolean {
  if (value === null || value === undefined || value === '') return true;
  return missing !== null && typeof value !== 'object' && missing.has(String(value));
}

/** Reads a value that is not absent as a `type` other than 'string', as `readValue` reads texts; NaN: it is none. */
export function readJsonValue(type: LogicalType, value: unknown, form?: ValueForm): number {
  if (typeof value === 'string') return valueOfText(type, value, form);
  if (typeof value === 'boolean') return type === 'boolean' ? Number(value) : Number.NaN;
  const isPlain = type === 'number' || type === 'integer' || type === 'boolean';
  if (typeof value !== 'number') return Number.NaN;
  if (!isPlain) return momentOf(type, value, form);
  return fits(type, value) ? value : Number.NaN;
}

/** Why a value is not of a type. One that is no text is named by its kind and shown without quotes. */
export function jsonMismatch(type: LogicalType, value: unknown, form?: ValueForm): ToldReason {
  if (typeof value === 'string') return mismatch(type, value, form);
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return mismatch(type, text, form, typeof value === 'number' ? 'number' : Array.isArray(value) ? 'list' : 'object');
}
