import { Type } from 'typebox';
import { objectOf } from '../../api/named.ts';
import type { Field } from '../../ml/version/schema.ts';
import type { InputChange } from '../../schema/json.ts';

export const inputChangeSchema = objectOf('InputChange', {
  name: Type.String({ description: 'The input.' }),
  change: Type.String({
    enum: ['removed', 'required', 'type', 'range'],
    description:
      'removed: it is taken no longer; required: it must be given now; type: not all of its values are taken any more; range: neither are all of its numbers, or days ahead.',
  }),
  message: Type.String(),
});

type Input = Pick<
  Field,
  'name' | 'type' | 'required' | 'nullable' | 'minimum' | 'maximum' | 'dates_row' | 'decimal_separator' | 'time_zone'
>;

/** Types that take all that another one takes. */
const wider: Readonly<Partial<Record<Field['type'], readonly Field['type'][]>>> = {
  integer: ['number', 'string'],
  number: ['string'],
  boolean: ['string'],
  date: ['timestamp', 'string'],
  timestamp: ['string'],
  time: ['string'],
};

/** What of the inputs of one version breaks callers who ask it, once another answers them; empty where nothing does. */
export function inputChanges(before: readonly Input[], after: readonly Input[]): InputChange[] {
  const now = new Map(after.map((input) => [input.name, input]));
  const known = new Map(before.map((input) => [input.name, input]));
  const gone = before
    .filter(({ name }) => !now.has(name))
    .map(({ name }) => ({ name, change: 'removed' as const, message: `${name} is no longer taken` }));
  return [...gone, ...after.flatMap((input) => changeOf(known.get(input.name), input) ?? [])];
}

function changeOf(before: Input | undefined, after: Input): InputChange | null {
  const { name, type, required, nullable } = after;
  if (required && !before?.required) return { name, change: 'required', message: `${name} is required now` };
  if (required && before?.nullable && !nullable)
    return { name, change: 'required', message: `${name} is required now, and may not be null` };
  if (!before) return null;
  if (before.type !== type && !wider[before.type]?.includes(type))
    return { name, change: 'type', message: `${name} was ${before.type} and is ${type} now` };
  const separator = after.decimal_separator ?? '.';
  if (before.type !== 'string' && separator !== (before.decimal_separator ?? '.'))
    return { name, change: 'type', message: `texts write the decimals of ${name} after a "${separator}" now` };
  if (type === 'timestamp' && before.time_zone !== after.time_zone)
    return { name, change: 'type', message: `${name} is read on the clocks of ${after.time_zone ?? 'UTC'} now` };
  const narrowed = narrowedOf(before, after);
  return narrowed === null ? null : { name, change: 'range', message: `${name} ${narrowed}` };
}

/** What of the range that an input had is refused now; null for nothing. */
function narrowedOf(before: Input, { minimum, maximum, dates_row }: Input): string | null {
  if (minimum !== undefined && minimum > (before.minimum ?? Number.NEGATIVE_INFINITY))
    return `must be at least ${minimum} now`;
  if (maximum !== undefined && maximum < (before.maximum ?? Number.POSITIVE_INFINITY))
    return `must be at most ${maximum} now`;
  return dates_row === 'past' && before.dates_row !== 'past' ? 'may not lie in the future now' : null;
}
