import { microsecondsPerDay } from '../../contract/contract.ts';
import { seedRandom } from '../../statistics/random.ts';
import type { FactStore } from '../facts/store.ts';

const periodDays = 182;

/**
 * The same store with the objects of facts dealt anew among the facts of the same relation, kinds and half-year:
 * everybody keeps how many facts of what they had and when, and loses whom they were with. What a model still gains
 * from it, it does not owe to the network.
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
