export type WatchListSearch = { readonly tab?: 'moves' };

/** Reads the query of the page's address; what it does not know is left out. */
export const readWatchListSearch = ({ tab }: Readonly<Record<string, unknown>>): WatchListSearch =>
  tab === 'moves' ? { tab } : {};
