export type EvaluationSearch = { readonly output?: string; readonly rows?: 'all' | 'later' };

/** Reads the query of the page's address; what it does not know is left out. */
export const readEvaluationSearch = ({ output, rows }: Readonly<Record<string, unknown>>): EvaluationSearch => ({
  ...(typeof output === 'string' ? { output } : {}),
  ...(rows === 'all' || rows === 'later' ? { rows } : {}),
});
