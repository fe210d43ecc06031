import type { RowWarning } from '../../ml/inference/predict.ts';

/** By code, and by what the warning is about, how many answered rows have it. */
export type RowWarnings = Readonly<Partial<Record<RowWarning, CountsOf>>>;
export type CountsOf = Readonly<Record<string, number>>;

/** Sums numbers of rows by what they are about. */
export function addCounts(one: CountsOf = {}, other: CountsOf = {}): CountsOf {
  const sums: Record<string, number> = { ...one };
  for (const [about, rows] of Object.entries(other)) sums[about] = (sums[about] ?? 0) + rows;
  return sums;
}

/** Sums numbers of rows by code and by what they are about. */
export function addRowWarnings(one: RowWarnings, other: RowWarnings): RowWarnings {
  const codes = Object.keys({ ...one, ...other }) as RowWarning[];
  return Object.fromEntries(codes.map((code) => [code, addCounts(one[code], other[code])]));
}

/** Says of a file, of which so many rows were answered, how many of them have a warning. */
export function describeRows(code: RowWarning, counts: CountsOf, answered: number): string[] {
  const count = (rows: number) => rows.toLocaleString('en');
  return Object.entries(counts).map(([about, rows]) => `${count(rows)} of ${count(answered)} ${says[code](about)}`);
}

const says: Record<RowWarning, (about: string) => string> = {
  unknown_entities: (input) =>
    `answered rows have a ${input} that is not in the data as of their moment: nothing was known of it`,
  outside_population: (condition) =>
    `answered rows do not meet ${condition} as of their moment, which the question is about: the model learned only from those that do`,
};
