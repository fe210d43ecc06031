/** The parts of a version's page, as its address names them. */
export const versionTabs = [
  'overview',
  'schema',
  'metrics',
  'validation',
  'backtests',
  'shadow',
  'features',
  'usage',
  'monitoring',
] as const;
export type VersionTab = (typeof versionTabs)[number];
