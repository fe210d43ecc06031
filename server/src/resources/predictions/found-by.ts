import type { Column, Rows } from '../../lib/files/column.ts';
import { coverageShare } from '../../ml/answers/answers.ts';
import type { AnsweringVersion } from '../../serving/open-data.ts';

/** What a prediction is counted and found by, beside its version; null where it has none. */
export type FoundBy = {
  readonly band: string | null;
  /** In which tenth of its range the first output with a range lies: 1 to 10. */
  readonly tenth: number | null;
  /** Whom it is about. */
  readonly entity: Named | null;
  /** The row itself, where it is about another and has a key already. */
  readonly row: Named | null;
};

type Named = { readonly table: string; readonly key: string };

const bandField = 'risk_band';
const tenths = 10;

/** Reads what a prediction is found by off its inputs and outputs. */
export function foundBy(
  { outputs: fields, subjects }: Pick<AnsweringVersion, 'outputs' | 'subjects'>,
  rows: Rows,
  outputs: Readonly<Record<string, unknown>>,
): FoundBy {
  const band = outputs[bandField];
  const entity = entityOf(subjects, rows);
  // The last one is the row itself.
  const row = entityOf(subjects.slice(-1), rows);
  return {
    band: typeof band === 'string' ? band : null,
    tenth: tenthOf(fields, outputs),
    entity,
    row: row?.table === entity?.table && row?.key === entity?.key ? null : row,
  };
}

/** Whom the only row is about; null where it names nobody. */
export function entityOf(subjects: AnsweringVersion['subjects'], rows: Rows): Named | null {
  return (
    subjects
      .map(({ input, table }) => ({ table, key: textOf(rows.columns.get(input)) }))
      .find((found): found is Named => found.key !== null) ?? null
  );
}

function tenthOf(fields: AnsweringVersion['outputs'], outputs: Readonly<Record<string, unknown>>): number | null {
  const ranged = fields.find(
    ({ name, minimum, maximum }) => name !== coverageShare.name && minimum !== undefined && maximum !== undefined,
  );
  const value = ranged && outputs[ranged.name];
  if (!ranged || typeof value !== 'number') return null;
  const share = (value - ranged.minimum!) / (ranged.maximum! - ranged.minimum!);
  return Math.min(Math.max(Math.floor(share * tenths) + 1, 1), tenths);
}

function textOf(column: Column | undefined): string | null {
  if (!column) return null;
  if (column.kind === 'text') return column.codes[0] < 0 ? null : column.dictionary[column.codes[0]];
  return Number.isNaN(column.values[0]) ? null : String(column.values[0]);
}
