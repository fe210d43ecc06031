import { microsecondsPerDay } from '../../contract/contract.ts';
import { seedRandom } from '../../statistics/random.ts';
import type { FactStore } from '../facts/store.ts';

const periodDays = 182;

/**
 * The same store with the objects of facts permuted among facts of the same relation, kinds and half-year. Every entity
 * keeps how many facts of each relation it had and when, but not with whom. A gain that a model still has from it is
 * not due to the network.
 */
export function shuffleObjects(store: FactStore, seed: number): FactStore {
  const { facts, kinds } = store;
  const random = seedRandom(seed);
  const groups = new Map<string, number[]>();
  for (const [fact, relation] of facts.relation.entries()) {
    const period = Math.floor(facts.from[fact] / (periodDays * microsecondsPerDay));
    const key = `${relation} ${kinds[facts.subject[fact]]} ${kinds[facts.object[fact]]} ${period}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [fact]);
    else group.push(fact);
  }
  const object = facts.object.slice();
  for (const group of groups.values()) {
    for (let i = group.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      const [a, b] = [group[i], group[j]];
      [object[a], object[b]] = [object[b], object[a]];
    }
  }
  return { ...store, facts: { ...facts, object } };
}
