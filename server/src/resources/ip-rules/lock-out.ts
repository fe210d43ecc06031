import type { Context } from '../../access/context.ts';
import { readAllowed, refusalFrom } from '../../access/ip-rules.ts';
import type { Scope } from '../../access/scope.ts';
import { refuse } from '../../errors.ts';
import type { RuleRow } from './sql.ts';

/**
 * Refuses a change under which the person who makes it would no longer come in from where they are. `level` are the
 * rules of the changed level as they would be. Throws Failure 'would_lock_out'.
 */
export function requireWayIn({ ip }: Context<Scope>, level: readonly RuleRow[]): void {
  const ofPeople = level.filter(({ applies_to }) => applies_to !== 'api').map(({ cidr }) => cidr);
  if (ofPeople.length === 0 || !refusalFrom(readAllowed([ofPeople]), ip ?? '')) return;
  throw refuse('would_lock_out', `no rule would name your address, ${ip}: name it first, or confirm by confirm=true`);
}
