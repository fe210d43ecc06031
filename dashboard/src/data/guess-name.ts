import { useWords } from '../words/words.ts';
import type { Guess } from './report.ts';
import { useTypeName } from './types.tsx';
import { dataWords } from './words.ts';

/** Says what was guessed: of a mark, such as personal data, and of what a column itself is, its name alone. */
export function useGuessName(): (guess: Pick<Guess, 'kind' | 'value' | 'column'>) => string {
  const w = useWords(dataWords);
  const typeName = useTypeName();
  return ({ kind, value, column }) => {
    const name = (w.guessed as Readonly<Record<string, string>>)[kind] ?? kind;
    if (value === 'true' || value === column) return name;
    if (kind === 'type') return `${name} ${typeName(value)}`;
    if (kind === 'entityKind') return `${name} ${(w.kinds as Readonly<Record<string, string>>)[value] ?? value}`;
    return `${name} ${value}`;
  };
}
