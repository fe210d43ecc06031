export type CompareSearch = {
  /** Ids of versions. */
  readonly base?: string;
  readonly candidate?: string;
  readonly output?: string;
};

/** Reads the query of the page's address; what it does not know is left out. */
export const readCompareSearch = ({ base, candidate, output }: Readonly<Record<string, unknown>>): CompareSearch => ({
  ...(typeof base === 'string' ? { base } : {}),
  ...(typeof candidate === 'string' ? { candidate } : {}),
  ...(typeof output === 'string' ? { output } : {}),
});
