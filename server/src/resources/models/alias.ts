import { Type } from 'typebox';
import { allows } from '../../lib/http/validate.ts';

/** The schema of an alias name. */
export function aliasName(description?: string) {
  return Type.String({
    pattern: '^[a-z][a-z0-9-]{0,62}$',
    [allows]: 'lower-case letters, digits and -, a letter first, 63 at most',
    ...(description === undefined ? {} : { description }),
  });
}
