import type { Schemas } from '@lastro/sdk';

type Field = Schemas['ModelField'];
export type InputChange = {
  readonly name: string;
  readonly change: 'added' | 'removed' | 'required' | 'type' | 'range';
};

/** Types that take all that another one takes. */
const wider: Readonly<Record<string, readonly string[]>> = {
  integer: ['number', 'string'],
  number: ['string'],
  boolean: ['string'],
  date: ['timestamp', 'string'],
  timestamp: ['string'],
  time: ['string'],
};

/** How the inputs of one version differ from those of another, by the service's own rules of what breaks callers. */
export function inputChanges(before: readonly Field[], after: readonly Field[]): readonly InputChange[] {
  const now = new Map(after.map((field) => [field.name, field]));
  const known = new Map(before.map((field) => [field.name, field]));
  return [
    ...before.filter(({ name }) => !now.has(name)).map(({ name }) => ({ name, change: 'removed' as const })),
    ...after.flatMap((field) => changeOf(known.get(field.name), field) ?? []),
  ];
}

/** Whether callers who do not change are refused. */
export const isBreaking = ({ change }: InputChange): boolean => change !== 'added';

function changeOf(before: Field | undefined, after: Field): InputChange | null {
  const { name, type, required, nullable } = after;
  if (required && !before?.required) return { name, change: 'required' };
  if (required && before?.nullable && !nullable) return { name, change: 'required' };
  if (!before) return { name, change: 'added' };
  if (before.type !== type && !wider[before.type]?.includes(type)) return { name, change: 'type' };
  if (before.type !== 'string' && before.decimal_separator !== after.decimal_separator) return { name, change: 'type' };
  return isNarrower(before, after) ? { name, change: 'range' } : null;
}

function isNarrower(before: Field, { minimum, maximum, dates_row }: Field): boolean {
  return (
    (minimum !== undefined && minimum > (before.minimum ?? Number.NEGATIVE_INFINITY)) ||
    (maximum !== undefined && maximum < (before.maximum ?? Number.POSITIVE_INFINITY)) ||
    (dates_row === 'past' && before.dates_row !== 'past')
  );
}
