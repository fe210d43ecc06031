import { createFileRoute } from '@tanstack/react-router';
import { VersionPage } from '../models/version-page.tsx';
import { type VersionTab, versionTabs } from '../models/version-tabs.ts';

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
};

export const Route = createFileRoute('/_app/models/$model_id/versions/$version_id')({
  validateSearch: ({ tab, output, cut, find, table, protected: isProtected }): VersionSearch => ({
    ...(versionTabs.includes(tab as VersionTab) ? { tab: tab as VersionTab } : {}),
    ...(typeof output === 'string' ? { output } : {}),
    ...(typeof cut === 'number' && Number.isInteger(cut) && cut >= 0 ? { cut } : {}),
    ...(typeof find === 'string' && find !== '' ? { find } : {}),
    ...(typeof table === 'string' ? { table } : {}),
    ...(isProtected === true ? { protected: true } : {}),
  }),
  component: VersionPage,
});
