/** Longest word and longest list that are compared: the work grows with the product of all lengths. */
const lengthMax = 64;
const wordsMax = 2_000;

/**
 * The word of a list that was most likely meant by one that is not in it; null when none is near. As many letters may
 * be wrong, missing, too many or swapped with the next as the word has thirds, and one in short words. Case does not
 * count. Of equally near words the first is taken.
 */
export function nearestWord(given: string, words: readonly string[]): string | null {
  if (given.length > lengthMax) return null;
  const meant = given.toLowerCase();
  let nearest: string | null = null;
  let least = Math.max(1, Math.floor(meant.length / 3)) + 1;
  for (const word of words.slice(0, wordsMax)) {
    if (word.length > lengthMax || Math.abs(word.length - meant.length) >= least) continue;
    const distance = distanceOf(meant, word.toLowerCase());
    // A word of which every letter is wrong is another one.
    if (distance >= least || distance >= word.length) continue;
    [nearest, least] = [word, distance];
  }
  return nearest;
}

/** `; did you mean x?` of the nearest word, to end a message that says what is unknown; empty when none is near. */
export function didYouMean(given: string, words: readonly string[]): string {
  const nearest = nearestWord(given, words);
  return nearest === null ? '' : `; did you mean ${nearest}?`;
}

/** Optimal string alignment: Levenshtein's distance, in which swapping two neighbors is one step (Damerau 1964). */
function distanceOf(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        last[j]! + 1,
        row[j - 1]! + 1,
        last[j - 1]! + (isSame ? 0 : 1),
        isSwap ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
