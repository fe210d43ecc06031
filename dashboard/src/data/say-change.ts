import type { dataWords } from './words.ts';

/** What the last part of a path means, where its name does not tell it. */
export function meaningOf(path: string, w: (typeof dataWords)['en']): string | null {
  const field = path.slice(path.lastIndexOf('.') + 1);
  return field === 'mutable' || field === 'planned' || field === 'graphKey' ? w[field] : null;
}
