import type { Remedies } from './remedies.ts';

/**
 * `from`: the id of the task that is written anew; `mend`: what is to be done about columns of it; `days`: how far ahead
 * it is to ask at most.
 */
export type NewTaskSearch = {
  readonly mode?: 'query' | 'yaml';
  readonly from?: string;
  readonly mend?: Remedies;
  readonly days?: number;
};

/** Reads the query of the page's address. What is to be mended is read where it is done. */
export const readNewTaskSearch = ({ mode, from, mend, days }: Readonly<Record<string, unknown>>): NewTaskSearch => ({
  ...(mode === 'query' || mode === 'yaml' ? { mode } : {}),
  ...(typeof from === 'string' ? { from, mend: mend as Remedies } : {}),
  ...(typeof from === 'string' && typeof days === 'number' ? { days } : {}),
});
