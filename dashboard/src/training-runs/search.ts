export type RunsSearch = {
  /** The id of the task of which a run is being started. Empty: one is to be chosen. */
  readonly start?: string;
  readonly state?: 'open' | 'ended';
};

/** Reads the query of the page's address; what it does not know is left out. */
export const readRunsSearch = ({ start, state }: Readonly<Record<string, unknown>>): RunsSearch => ({
  ...(typeof start === 'string' ? { start } : {}),
  ...(state === 'open' || state === 'ended' ? { state } : {}),
});
