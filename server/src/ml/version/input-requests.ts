import { dateForms } from '../../lib/files/date-forms.ts';
import type { ColumnRequest } from '../../lib/files/read.ts';
import type { ValueForm } from '../../lib/files/values.ts';
import { zonedForm } from '../contract/written.ts';
import { vectorFormat } from './given-vectors.ts';
import { namesOf } from './other-names.ts';
import { dayInput, type Field } from './schema.ts';
import type { Version } from './version.ts';

/** The texts that mean a missing value, by input; inputs without any are left out. */
export type MissingInputs = Readonly<Record<string, readonly string[]>>;

export function missingTextsOf(version: Version): MissingInputs {
  return Object.fromEntries(
    inputRequests(version).flatMap(({ name, missing = [] }) => (missing.length > 0 ? [[name, missing]] : [])),
  );
}

/** What to read for an input, and the column that it is mapped to, if any. */
export type InputRequest = ColumnRequest & Pick<Field, 'column'>;

/**
 * The columns to read from a file of rows to predict: the inputs of a version, without the day of the prediction. An
 * empty cell stands for null, so only columns without one are required of each row; not what dates a row, in whose
 * place the day of the prediction may be given.
 */
export function inputRequests({ contract, task, inputFields }: Version): InputRequest[] {
  const { columns } = contract.tables.find(({ name }) => name === task.entity)!;
  return inputFields
    .filter(({ name }) => name !== dayInput)
    .map((field) => {
      const { name, type, required, nullable, dates_row, format, aliases, column: mapped } = field;
      const missing = columns.find((column) => column.name === name)?.missingValues;
      return {
        ...{ name, type, required: required && !nullable && dates_row === undefined },
        ...(missing && { missing }),
        ...(aliases && { aliases }),
        ...(mapped !== undefined && { column: mapped }),
        ...(format === vectorFormat && { takesLists: true }),
        ...formOf(field),
      };
    });
}

/** The form in which an input may be written, that of its column in the contract, as `readValue` takes it. */
export function formOf({ format, decimal_separator, time_zone }: Field): { readonly form?: ValueForm } {
  const dated = dateForms.find((known) => known === format);
  const form = decimal_separator === ',' ? 'decimal_comma' : zonedForm(dated, time_zone);
  return form === undefined ? {} : { form };
}

/**
 * The required inputs for which a file has no column, whatever its case. `isDayGiven`: whether the day of the
 * prediction is given for all rows, so that none needs a date of its own.
 */
export function lackingInputs(
  inputs: readonly Field[],
  has: (column: string) => boolean,
  isDayGiven: boolean,
): string[] {
  const day = inputs.find(({ name }) => name === dayInput) ?? { name: dayInput };
  const isDated = isDayGiven || isThere(day, has);
  return inputs
    .filter((input) => input.required && !isThere(input, has) && !(input.dates_row && isDated))
    .map(({ name }) => name);
}

/** An input that a file has no column for. `importance`: the share of its importance that the model draws from it. */
type MissingInput = { readonly name: string; readonly importance: number };

/**
 * The inputs that a model reads and a file has no column for, the most important first. Required ones are left out: a
 * file that lacks them is refused.
 */
export function missingInputs(inputs: readonly Field[], has: (column: string) => boolean): MissingInput[] {
  return inputs
    .filter((input) => !input.required && !isThere(input, has))
    .map(({ name, importance = 0 }) => ({ name, importance }))
    .filter(({ importance }) => importance > 0)
    .sort((a, b) => b.importance - a.importance);
}

/** What it means that a file lacks an input. */
export function describeMissing({ name, importance }: MissingInput): string {
  return `column ${name} is not in the file: the model draws ${percent(importance)} of its importance from it, and answers as if it were not known`;
}

function isThere(input: Parameters<typeof namesOf>[0], has: (column: string) => boolean): boolean {
  return namesOf(input).some(has);
}

/** A share as a percentage, with a digit after the point below 10 %. */
function percent(share: number): string {
  const value = 100 * share;
  if (value < 0.1) return 'less than 0.1 %';
  return `${value.toFixed(value < 10 ? 1 : 0)} %`;
}
