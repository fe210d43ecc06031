import type { Usage } from './arguments.ts';

export const gfmPublishUsage = {
  usage: 'gfm publish <version>',
  about: `Releases a version to every workspace of the service on this host; each chooses when to read it. A released version is
never changed. Works beside a running service, and without one; it sees nothing of any workspace.`,
  positionals: 1,
  options: {},
} as const satisfies Usage;
