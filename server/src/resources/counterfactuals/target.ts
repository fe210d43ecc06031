import { refuse } from '../../errors.ts';
import type { Rows } from '../../lib/files/column.ts';
import { jsonFormat } from '../../ml/kinds/fields.ts';
import type { Field } from '../../ml/version/schema.ts';
import type { CounterfactualRequest } from './counterfactual.ts';

/** What an answer is to be. */
export type Target = {
  readonly output: string;
  readonly below: number | null;
  readonly above: number | null;
  readonly is: readonly string[] | null;
};

/** Outputs that say how much was known, and not what is foretold. */
const aboutTheAnswer: ReadonlySet<string> = new Set(['data_coverage', 'data_coverage_share', 'as_of']);

/** Reads what the answer is to be. Throws Failure 'invalid_input'. */
export function readTarget(
  { output, below, above, band }: NonNullable<CounterfactualRequest['target']>,
  outputs: readonly Field[],
): Target {
  if ([below, above, band].filter((one) => one !== undefined).length !== 1)
    throw faulty('/target', 'needs one of below, above and band');
  const foretold = outputs.filter(({ name, format }) => !aboutTheAnswer.has(name) && format !== jsonFormat);
  const fitting = foretold.filter(({ type }) =>
    band === undefined ? type === 'number' || type === 'integer' : type === 'string',
  );
  const kind = band === undefined ? 'number' : 'text';
  const field = output === undefined ? fitting[0] : fitting.find(({ name }) => name === output);
  if (!field) {
    const names = fitting.map(({ name }) => name).join(', ');
    const known = names === '' ? `this version answers no ${kind}` : `the outputs that are a ${kind} are ${names}`;
    throw faulty(output === undefined ? '/target' : '/target/output', known);
  }
  const is = band === undefined ? null : [band].flat();
  const unknown = is?.find((text) => field.enum !== undefined && !field.enum.includes(text));
  if (unknown !== undefined)
    throw faulty('/target/band', `${field.name} is one of ${field.enum!.join(', ')}, and never ${unknown}`);
  return { output: field.name, below: below ?? null, above: above ?? null, is };
}

/** Whether the answer in a row is as it should be. What is missing is not. */
export function isReached({ output, below, above, is }: Target, { columns }: Rows, row: number): boolean {
  const column = columns.get(output);
  if (column?.kind === 'text')
    return is !== null && column.codes[row] >= 0 && is.includes(column.dictionary[column.codes[row]]);
  const value = column?.values[row] ?? Number.NaN;
  return below === null ? value >= above! : value < below;
}

function faulty(at: string, message: string) {
  return refuse('invalid_input', `${at.slice(1).replaceAll('/', '.')} ${message}`, { problems: [{ at, message }] });
}
