import type { TextColumn } from '../../lib/files/column.ts';

/** How much of a text is looked at: characters, and different words. */
const charactersMax = 4_000;
const wordsMax = 200;
const wordPattern = /[\p{L}\p{N}]{2,24}/gu;

/** The different words of a text, lower case, in the order in which they come. */
export function wordsOf(text: string): string[] {
  const words = new Set<string>();
  for (const [word] of text.slice(0, charactersMax).toLowerCase().matchAll(wordPattern)) {
    words.add(word);
    if (words.size >= wordsMax) break;
  }
  return [...words];
}

/** The words of the texts in a column's dictionary, each taken apart when first asked for. */
export function openWords({ dictionary }: TextColumn): (code: number) => readonly string[] {
  const known: (readonly string[] | undefined)[] = [];
  return (code) => (known[code] ??= wordsOf(dictionary[code]));
}

/** Whether the text of a code has a word: 1 or 0. Most texts need not be taken apart to say that they have not. */
export function openWord({ dictionary }: TextColumn, word: string): (code: number) => number {
  return (code) => {
    const text = dictionary[code];
    return text.toLowerCase().includes(word) && wordsOf(text).includes(word) ? 1 : 0;
  };
}
