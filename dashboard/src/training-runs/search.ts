export type RunsSearch = {
  /** The id of the task of which a run is being started. Empty: one is to be chosen. */
  readonly start?: string;
  /** The alias that it is to move, as the run that is made anew was. */
  readonly alias?: string;
  readonly state?: 'open' | 'ended';
};

/** Reads the query of the page's address; what it does not know is left out. */
export const readRunsSearch = ({ start, alias, state }: Readonly<Record<string, unknown>>): RunsSearch => ({
  ...(typeof start === 'string' ? { start } : {}),
  ...(typeof start === 'string' && typeof alias === 'string' ? { alias } : {}),
  ...(state === 'open' || state === 'ended' ? { state } : {}),
});
