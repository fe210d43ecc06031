import type { Problem } from '../../lib/failure.ts';
import { type ColumnMapping, namesOf } from '../../ml/version/other-names.ts';
import { dayInput, echoed, type Field } from '../../ml/version/schema.ts';
import { endpointColumn } from './targets.ts';

/** Most inputs that a problem names. */
const inputsTold = 20;

/** What files are mapped for. `reserved`: columns with a meaning of their own in them. */
type Files = { readonly what: string; readonly whose: string; readonly reserved: readonly string[] };

const rowsToPredict: Files = {
  what: 'files of rows to predict',
  whose: 'input of the model, which takes',
  reserved: [endpointColumn, dayInput, ...echoed],
};
export const labelledFiles: Files = {
  what: 'labelled files',
  whose: 'column of a labelled file of the model, which has',
  reserved: [],
};

type Input = Pick<Field, 'name' | 'aliases' | 'column'>;

/**
 * What is wrong with a mapping for the versions that score a file, by their inputs: one of another name, a column that
 * is read as something else, or twice. `at` is the input. A file may still lack the columns.
 */
export function mappingProblems(
  mapping: ColumnMapping,
  versions: readonly (readonly Input[])[],
  files: Files = rowsToPredict,
): Problem[] {
  const inputOf = new Map<string, string>();
  return Object.entries(mapping).flatMap(([input, column]) => {
    const before = inputOf.get(column.toLowerCase());
    inputOf.set(column.toLowerCase(), input);
    const message =
      unknownInput(input, versions, files) ??
      otherMeaning(column, input, mapping, versions, files) ??
      twice(column, before);
    return message === null ? [] : [{ at: input, message }];
  });
}

/** The mapped columns that a file lacks, each with the input that is to be read from it. */
export function lackingColumns(inputs: readonly Field[], has: (column: string) => boolean): string[] {
  return inputs.flatMap(({ name, column }) => (column === undefined || has(column) ? [] : `${column} (for ${name})`));
}

function unknownInput(input: string, versions: readonly (readonly Input[])[], { whose }: Files): string | null {
  const names = [...new Set(versions.flatMap((inputs) => inputs.map(({ name }) => name)))];
  if (names.includes(input)) return null;
  const told = names.slice(0, inputsTold).join(', ');
  const more = names.length > inputsTold ? ` and ${names.length - inputsTold} more` : '';
  return `${input} is no ${whose} ${told}${more}`;
}

function otherMeaning(
  column: string,
  input: string,
  mapping: ColumnMapping,
  versions: readonly (readonly Input[])[],
  { what, reserved }: Files,
): string | null {
  const isCalled = (name: string) => name.toLowerCase() === column.toLowerCase();
  const other = reserved.find(isCalled);
  if (other !== undefined && other !== input)
    return `${column} has a meaning of its own in ${what}, and cannot be read as ${input}`;
  for (const inputs of versions) {
    if (!inputs.some(({ name }) => name === input)) continue;
    const other = inputs.find((one) => !Object.hasOwn(mapping, one.name) && namesOf(one).some(isCalled));
    if (other)
      return `${column} is read as ${other.name} already: map ${other.name} to another column, or ${input} to one of its own`;
  }
  return null;
}

function twice(column: string, before: string | undefined): string | null {
  return before === undefined ? null : `${column} is the column of ${before} already: each input has one of its own`;
}
