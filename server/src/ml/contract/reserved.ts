/**
 * The column with the moment at which a changed row came, when the contract has no column for it. Missing for rows that
 * came for the first time.
 */
export const knownAtColumn = '_known_at';

/** Whether no column of a file or a contract may have this name. */
export function isReserved(column: string): boolean {
  return column.toLowerCase() === knownAtColumn;
}
