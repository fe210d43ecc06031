import type { TextColumn } from '../../lib/files/column.ts';

/** At most this many characters and different words of a text are read. */
const charactersMax = 4_000;
const wordsMax = 200;
const wordPattern = /[\p{L}\p{N}]{2,24}/gu;

/** The different words of a text in lower case, in order of appearance. */
export function wordsOf(text: string): string[] {
  const words = new Set<string>();
  for (const [word] of text.slice(0, charactersMax).toLowerCase().matchAll(wordPattern)) {
    words.add(word);
    if (words.size >= wordsMax) break;
  }
  return [...words];
}

/** Gives the words of each text in a column's dictionary. A text is split on first use. */
export function openWords({ dictionary }: TextColumn): (code: number) => readonly string[] {
  const known: (readonly string[] | undefined)[] = [];
  return (code) => (known[code] ??= wordsOf(dictionary[code]));
}

/**
 * Gives 1 when the text of a code contains a word of `wordsOf`, else 0. It does not split the texts into words, so it
 * stays fast for very many texts.
 */
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
