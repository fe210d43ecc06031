import type { Schemas } from '@lastro/sdk';
import type { Head } from '../uploads/head-of-file.ts';
import { valuesOf } from './document-columns.ts';
import { plainText } from './plain-text.ts';
import { dateForms, isOfType } from './value-types.ts';

type Dated = Pick<Schemas['ModelVersion']['inputs'][number], 'type' | 'format' | 'decimal_separator'>;

/** Digits alone are taken for days of these years only. */
const yearLeast = 1900;
const yearMost = 2100;

/** A day or two of a column may be none: their rows are told as wrong, and the column is one of days all the same. */
const daysLeast = 0.9;

/**
 * Those of some columns whose values are days, but for a tenth of them at most, in the form of an input. `isFormFound`: the service finds the form
 * by the values. `until`: the last day that they may name.
 */
export function dayColumns(
  heads: readonly Head[],
  columns: readonly string[],
  input: Dated,
  { isFormFound, until }: { readonly isFormFound: boolean; readonly until: string | undefined },
): readonly string[] {
  if (input.type !== 'date' && input.type !== 'timestamp') return [];
  const forms = isFormFound && input.format === undefined ? [undefined, ...dateForms] : [input.format];
  return columns.filter((column) => {
    const values = valuesOf(heads, column);
    const daysIn = (format: string | undefined) =>
      values.filter((text) => isDayIn(text, { ...input, format }, until)).length;
    return values.length > 0 && forms.some((format) => daysIn(format) >= daysLeast * values.length);
  });
}

function isDayIn(text: string, input: Dated, until: string | undefined): boolean {
  const plain = plainText(text, input);
  if (!isOfType(plain, text, input.type)) return false;
  const year = Number(plain.slice(0, 4));
  return year >= yearLeast && year <= yearMost && (until === undefined || plain.slice(0, 10) <= until);
}
