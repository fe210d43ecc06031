import { Type } from 'typebox';

/** What a message names, so that it can be said in other words. */
export type MessageValues = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** The schema of `MessageValues`, which what was written down before they were told has none of. */
export function messageValuesSchema(description: string) {
  const value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String())]);
  return Type.Optional(Type.Record(Type.String(), value, { description }));
}
