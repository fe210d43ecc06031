import type { DateForm } from '../../lib/files/date-forms.ts';
import type { ValueForm } from '../../lib/files/values.ts';
import type { ColumnContract } from './contract.ts';

/** How a column's values are written, as far as its contract says so. */
export type Written = Pick<ColumnContract, 'dateForm' | 'decimalSeparator'>;

/** The form in which files may write a column's values besides, or of numbers in place of, what its type takes. */
export function writtenForm({ dateForm, decimalSeparator }: Written): ValueForm | undefined {
  return dateForm ?? (decimalSeparator === ',' ? 'decimal_comma' : undefined);
}

/** A form of dates whose instants are read on the clocks of a zone, where there is one. */
export function zonedForm(form: DateForm | undefined, zone: string | undefined): ValueForm | undefined {
  return zone === undefined ? form : { ...(form && { form }), zone };
}
