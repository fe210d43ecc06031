/** The result of a batch whose rows are corrected. `number`: of a row in its file. */
export type Original = {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<{ readonly number: number; readonly cells: readonly string[] }>;
};

/** The result of a batch of corrected rows. `numbers`: of the original rows; null of those that say none. */
export type CorrectedRows = {
  readonly id: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly numbers: readonly (number | null)[];
};

/** The column that says by which batch a row was corrected: the last one. */
export const correctedIn = 'corrected_in';

/**
 * Joins a result with those of its corrected rows, in the order of the original file. A corrected row stands in the place
 * of the original one, with its number; of several the last is taken. Rows without a number stand at the end.
 */
export async function* joinResults(
  { columns, rows }: Original,
  corrections: readonly CorrectedRows[],
): AsyncGenerator<{ readonly cells: readonly string[] }> {
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
  for await (const { number, cells } of rows) {
    for (; next < waiting.length && waiting[next]! <= number; next++) {
      written.add(waiting[next]!);
      yield { cells: corrected.get(waiting[next]!)! };
    }
    // Where rows are not in the order of their numbers, the corrected one has been written already.
    if (!written.has(number)) yield { cells: [...cells, ''] };
  }
  for (; next < waiting.length; next++) yield { cells: corrected.get(waiting[next]!)! };
  for (const cells of others) yield { cells };
}
