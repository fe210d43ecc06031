import type { Usage } from './arguments.ts';

export const adminUsage = {
  usage: 'admin bootstrap --organization <name> --email <address> [--workspace Main] [--time-zone America/Sao_Paulo]',
  about: `Makes an organization with its first workspace and a user who is Creator of all of it, and prints that user's first
key, which is shown once. Works beside a running service, and without one.`,
  positionals: 1,
  options: { organization: 'value', email: 'value', workspace: 'value', 'time-zone': 'value' },
  required: ['organization', 'email'],
} as const satisfies Usage;
