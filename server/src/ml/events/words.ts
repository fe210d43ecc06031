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

/** Whether the text of a code has a word of `wordsOf`: 1 or 0. Of very many texts, without taking each apart. */
export function openWord({ dictionary }: TextColumn, word: string): (code: number) => number {
  return (code) => {
    const text = dictionary[code].slice(0, charactersMax).toLowerCase();
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      if (!wordCharacter.test(text.charAt(at - 1)) && !wordCharacter.test(text.charAt(at + word.length))) return 1;
    }
    return 0;
  };
}

const wordCharacter = /[\p{L}\p{N}]/u;
