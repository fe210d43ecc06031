import { Type } from 'typebox';

/** A password as a request brings it: more than the policy takes, so that its refusal says why. */
export const passwordText = Type.String({
  maxLength: 1_000,
  description: 'Every character counts, also a space at the end.',
});
