import { isKnown } from '../graph/as-of/values.ts';
import type { Incidence } from './incidence.ts';
import { eachShared, type Subject } from './walk.ts';

/**
 * Counts the warm paths to an entity: one per shared row and other entity linked to it that was a customer by
 * `readableUntil`. `customerSince`: microseconds per entity.
 */
export function countWarmPaths(incidence: Incidence, customerSince: Float64Array, subject: Subject): number {
  let paths = 0;
  eachShared(incidence, subject, (_, __, from, to) => {
    for (let k = from; k < to; k++) {
      const other = incidence.members[k];
      if (other !== subject.entity && isKnown(customerSince, other, subject.readableUntil)) paths++;
    }
  });
  return paths;
}
