import type { Schemas } from '@lastro/sdk';
import { textOf } from '../kit/text-of.ts';
import type { Format } from '../words/format.ts';

export type Direction = NonNullable<Schemas['ChangeableInput']['direction']>;

/** An input that could be otherwise, and which way it may be changed. */
export type OpenInput = Schemas['ChangeableInputFound'] & { readonly direction: Direction };

/** A value of an input as people read it. */
export function sayInput(value: unknown, format: Format, w: { yes: string; no: string; notGiven: string }): string {
  if (value === null || value === undefined) return w.notGiven;
  if (typeof value === 'boolean') return value ? w.yes : w.no;
  if (typeof value === 'number') return format.digits(value);
  const text = textOf(value);
  return /^\d{4}-\d\d-\d\d$/.test(text) ? format.day(text) : text;
}
