/** Numbers of answered rows that name what was not in the data, by the input that names it. */
export type AbsentCounts = Readonly<Record<string, number>>;

/** Sums numbers of rows by input. */
export function addAbsent(one: AbsentCounts, other: AbsentCounts): AbsentCounts {
  const sums: Record<string, number> = { ...one };
  for (const [input, rows] of Object.entries(other)) sums[input] = (sums[input] ?? 0) + rows;
  return sums;
}

/** Says of a file, of which so many rows were answered, in how many an input names what was not in the data. */
export function describeAbsent(absent: AbsentCounts, answered: number): string[] {
  const count = (rows: number) => rows.toLocaleString('en');
  return Object.entries(absent).map(
    ([input, rows]) =>
      `${count(rows)} of ${count(answered)} answered rows have a ${input} that is not in the data as of their moment: nothing was known of it`,
  );
}
