import { Type } from 'typebox';

/** A code, and the values that its sentence names. */
export const becauseSchema = Type.Object(
  { code: Type.String() },
  {
    ...{ title: 'Because', additionalProperties: true },
    description: 'What a sentence beside it says as a code, with the values that it names.',
  },
);

/** Beside a list of sentences, what each says. What was written down before this was told has none. */
export function codesSchema() {
  const description = 'What the first of warnings say, in their order: the code of each, and what it names.';
  return Type.Optional(Type.Array(becauseSchema, { description }));
}
