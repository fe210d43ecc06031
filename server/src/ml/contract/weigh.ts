import type { CheckReport } from './check.ts';
import type { TableContract } from './contract.ts';
import type { Deviation } from './deviation.ts';

/** Above this share, the column probably has the wrong type or table. */
const danglingShareMax = 0.9;
/** In a file with fewer rows, the parents may simply come later. */
const danglingRowsMin = 100;

export type WeighOptions = { readonly ignoresUnknown?: boolean; readonly ignoresMissing?: boolean };

/**
 * Separates deviations that are only warnings (`mild`) from those that refuse the file (`grave`).
 *
 * A dangling reference is a warning, because the contract cannot require a reference to lead somewhere, and rows of a
 * child often come before those of its parent. When nearly all rows of a file with at least 100 rows have one, the file
 * is refused: the column is not what the contract says.
 */
export function weigh(
  report: CheckReport,
  { key, time, knownAt, columns }: TableContract,
  { ignoresUnknown = false, ignoresMissing = false }: WeighOptions = {},
): { mild: Deviation[]; grave: Deviation[] } {
  const dating = new Set<string | null | undefined>([
    time && 'column' in time ? time.column : null,
    knownAt,
    ...columns.map(({ knownFrom }) => knownFrom),
  ]);
  const isMild = ({ rule, count, column }: Deviation): boolean =>
    (rule === 'dangling_reference' && (report.rows < danglingRowsMin || count <= report.rows * danglingShareMax)) ||
    // A birth date may lie before 1900. A column that dates rows or other values may not.
    (rule === 'before_1900' && !dating.has(column)) ||
    (rule === 'unknown_column' && ignoresUnknown) ||
    // Nothing can be read of a file without its key.
    ((rule === 'missing_column' || rule === 'renamed_column') && ignoresMissing && !key.includes(column!));
  return {
    mild: report.deviations.filter(isMild),
    grave: report.deviations.filter((deviation) => !isMild(deviation)),
  };
}
