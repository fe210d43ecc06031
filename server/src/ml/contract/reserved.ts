/**
 * When a changed row came, where the contract has no column for that; missing for rows that came for the first time.
 */
export const knownAtColumn = '_known_at';

/** Whether a column of a file or a contract may not be called so. */
export function isReserved(column: string): boolean {
  return column.toLowerCase() === knownAtColumn;
}
