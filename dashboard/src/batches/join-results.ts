/** The result of a batch whose rows are corrected. `numberOf`: which row of its file one is; asked in their order. */
export type Original = {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly (readonly string[])[]>;
  numberOf(cells: readonly string[]): number;
};

/** The result of a batch of corrected rows. `numbers`: of the original rows; null of those that say none. */
export type CorrectedRows = {
  readonly id: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly numbers: readonly (number | null)[];
};

/** The column that says by which batch a row was corrected. */
const correctedIn = 'corrected_in';

/**
 * Joins a result with those of its corrected rows, in the order of the original file: its header and then its rows. A
 * corrected row stands in the place of the original one, with its number; of several the last is taken. Rows without a
 * number stand at the end.
 */
export async function* joinResults(
  { columns, rows, numberOf }: Original,
  corrections: readonly CorrectedRows[],
): AsyncGenerator<readonly string[]> {
  yield [...columns, correctedIn];
  const corrected = new Map<number, readonly string[]>();
  const others: (readonly string[])[] = [];
  for (const one of corrections) {
    const places = columns.map((column) => one.columns.indexOf(column));
    one.rows.forEach((cells, at) => {
      const number = one.numbers[at] ?? null;
      const own = places.map((place, index) =>
        columns[index] === 'row' ? String(number ?? '') : place < 0 ? '' : (cells[place] ?? ''),
      );
      if (number === null) others.push([...own, one.id]);
      else corrected.set(number, [...own, one.id]);
    });
  }
  const waiting = [...corrected.keys()].sort((a, b) => a - b);
  const written = new Set<number>();
  let next = 0;
  for await (const some of rows) {
    for (const cells of some) {
      const number = numberOf(cells);
      for (; next < waiting.length && waiting[next]! <= number; next++) {
        written.add(waiting[next]!);
        yield corrected.get(waiting[next]!)!;
      }
      // Where rows are not in the order of their numbers, the corrected one has been written already.
      if (!written.has(number)) yield [...cells, ''];
    }
  }
  for (; next < waiting.length; next++) yield corrected.get(waiting[next]!)!;
  yield* others;
}

/** Numbers the rows of a result that does not say them: in order, without those that were left out. */
export function openNumbers(leftOut: ReadonlySet<number>): () => number {
  let number = 0;
  return () => {
    do number++;
    while (leftOut.has(number));
    return number;
  };
}
