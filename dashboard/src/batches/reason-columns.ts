/** Outputs that say in sentences what moved an answer: a result has them in one language for good. */
export const reasonColumns: ReadonlySet<string> = new Set(['key_factors', 'risk_factors']);
