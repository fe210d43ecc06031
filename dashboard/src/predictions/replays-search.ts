export type ReplaysSearch = {
  /** The replay that is open beside the list. */
  readonly open?: string;
};

/** Reads the query of the page's address; what it does not know is left out. */
export const readReplaysSearch = ({ open }: Readonly<Record<string, unknown>>): ReplaysSearch =>
  typeof open === 'string' ? { open } : {};
