import { type VersionTab, versionTabs } from './version-tabs.ts';

export type VersionSearch = {
  readonly tab?: VersionTab;
  /** Whose metrics are shown. */
  readonly output?: string;
  /** Where it is cut: which of the thresholds. */
  readonly cut?: number;
  /** What features are looked for. */
  readonly find?: string;
  readonly table?: string;
  readonly protected?: boolean;
  /** The backtest that is shown. */
  readonly backtest?: string;
  /** The validation that is shown. */
  readonly validation?: string;
};

/** Reads the query of the page's address; what it does not know is left out. */
export const readVersionSearch = ({
  tab,
  output,
  cut,
  find,
  table,
  protected: isProtected,
  backtest,
  validation,
}: Readonly<Record<string, unknown>>): VersionSearch => ({
  ...(versionTabs.includes(tab as VersionTab) ? { tab: tab as VersionTab } : {}),
  ...(typeof output === 'string' ? { output } : {}),
  ...(typeof cut === 'number' && Number.isInteger(cut) && cut >= 0 ? { cut } : {}),
  ...(typeof find === 'string' && find !== '' ? { find } : {}),
  ...(typeof table === 'string' ? { table } : {}),
  ...(isProtected === true ? { protected: true } : {}),
  ...(typeof backtest === 'string' ? { backtest } : {}),
  ...(typeof validation === 'string' ? { validation } : {}),
});
