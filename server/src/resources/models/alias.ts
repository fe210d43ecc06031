import { Type } from 'typebox';
import { allows } from '../../lib/http/validate.ts';

export const aliasLengthMax = 63;

/** The schema of an alias name. */
export function aliasName(description?: string) {
  return Type.String({
    pattern: `^[a-z][a-z0-9-]{0,${aliasLengthMax - 1}}$`,
    [allows]: `lower-case letters, digits and -, a letter first, ${aliasLengthMax} at most`,
    ...(description === undefined ? {} : { description }),
  });
}
