import type { InputField } from './input-control.tsx';

export type InputGroups = {
  /** Keys and references that are required. */
  readonly about: readonly InputField[];
  /** What dates the row, and the day as of which it is asked. */
  readonly when: readonly InputField[];
  /** What else is known of the row, the weightiest first. */
  readonly known: readonly InputField[];
  /** What moves answers little. */
  readonly less: readonly InputField[];
};

/** So many inputs of a row stand open; the others are behind a summary. */
const knownMost = 12;

/** The inputs of a version in the order in which somebody fills them in. */
export function groupInputs(inputs: readonly InputField[]): InputGroups {
  const isWhen = ({ name, dates_row: dates }: InputField) => dates !== undefined || name === 'reference_date';
  const about = inputs.filter((field) => field.required && !isWhen(field));
  const when = inputs.filter(isWhen);
  const others = inputs
    .filter((field) => !about.includes(field) && !isWhen(field))
    .sort((one, other) => (other.importance ?? 0) - (one.importance ?? 0));
  return { about, when, known: others.slice(0, knownMost), less: others.slice(knownMost) };
}
