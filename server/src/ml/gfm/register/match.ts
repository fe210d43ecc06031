import type { FactStore } from '../facts/store.ts';
import { normalizeName, personId, visibleDigitsOf } from './names.ts';

export type PersonMatch = {
  readonly entity: number;
  /** In (0, 1]: one divided by the expected number of people with these digits and this name. */
  readonly confidence: number;
};

/** Probability that a person has six given digits. */
const digitsShare = 1e-6;

/**
 * Finds people by CPF and name in a store of the register, which hides five digits of each CPF. A match needs both the
 * visible digits and the normalised name; null otherwise. The expected number of people who share them is the number of
 * age bands shown with them, plus one in a million of the namesakes.
 */
export function openPersonMatcher(store: FactStore): (cpf: string, name: string) => PersonMatch | null {
  const namesakes = new Map<string, number>();
  for (let number = 1; number <= store.entities.size; number++) {
    const entry = store.entities.entryOf(number);
    const name = entry?.kind === 'individual' ? entry.identifier.split('|')[1] : undefined;
    if (name !== undefined) namesakes.set(name, (namesakes.get(name) ?? 0) + 1);
  }
  const bands = new Map<number, number>();
  const column = store.nodes.attributes.find(({ name }) => name === 'age_bands');
  if (column?.kind === 'number')
    for (const [row, entity] of store.nodes.entity.entries())
      if (column.values[row] > 0) bands.set(entity, Math.max(bands.get(entity) ?? 1, column.values[row]));
  return (cpf, name) => {
    const digits = visibleDigitsOf(cpf);
    const plain = normalizeName(name);
    if (digits === null || plain === '') return null;
    const number = store.entities.numberOf('individual', personId(digits, plain));
    if (number === undefined) return null;
    const sharing = (bands.get(number - 1) ?? 1) + ((namesakes.get(plain) ?? 1) - 1) * digitsShare;
    return { entity: number - 1, confidence: 1 / sharing };
  };
}
