/** The number of a row in its file. */
export const rowColumn = 'row';
/** What callers may bring for themselves, behind the keys of whom a row is about: a result has a column of each. */
export const broughtColumns: readonly string[] = ['correlation_id', 'reference_id'];
/** Outputs that say in sentences what moved an answer: a result has them in one language for good. */
export const reasonColumns: ReadonlySet<string> = new Set(['key_factors', 'risk_factors']);
