import type { Usage } from './arguments.ts';

export const adminUsage = {
  usage: `admin bootstrap --organization <name> --email <address> [--workspace Main] [--time-zone America/Sao_Paulo]
       [--language en|pt-BR]`,
  about: `Makes an organization with its first workspace and a user who is Creator of all of it, and prints that user's first
key, which is shown once. Reasons of predictions are told in the workspace's language. Works beside a running service, and
without one.`,
  positionals: 1,
  options: { organization: 'value', email: 'value', workspace: 'value', 'time-zone': 'value', language: 'value' },
  required: ['organization', 'email'],
} as const satisfies Usage;

export const adminWeighUsage = {
  usage: 'admin weigh --workspace <id> --weight <n>',
  about: `Workspaces take turns with ingestions, trainings and batches, by the time that their work takes. One of weight 2 gets twice the
time of one of weight 1, which all have that were given none. Works beside a running service, and without one.`,
  positionals: 1,
  options: { workspace: 'value', weight: 'value' },
  required: ['workspace', 'weight'],
} as const satisfies Usage;

export const adminKeysUsage = {
  usage: `admin keys list [--workspace <id>]
       lastro admin keys create --workspace <id> --email <address> [--name <text>] [--days <n>]
       lastro admin keys revoke --key <id>`,
  about: `Lists the keys of all workspaces or of one, never their secrets; makes a key, which acts with the role that the user of
this address has in the workspace, is shown once, and is good for so many days or until it is revoked; ends a key, after
which nothing is answered to it. To replace one, make the new one first. Works beside a running service, and without one.`,
  positionals: 2,
  options: { workspace: 'value', email: 'value', name: 'value', days: 'value', key: 'value' },
} as const satisfies Usage;

export const adminSignInUsage = {
  usage: 'admin sign-in --email <address>',
  about: `Makes a link by which the user of this address signs in once, within a day: for the first Creator, who has no password
yet, and for who has lost theirs. POST /v1/api/sessions/link takes its token. Works beside a running service, and without one.`,
  positionals: 1,
  options: { email: 'value' },
  required: ['email'],
} as const satisfies Usage;

export const adminIpRulesUsage = {
  usage: 'admin ip-rules clear --organization <id>',
  about: `Deletes all rules about addresses of an organization, of its workspaces and of their keys, so that its people and programs come
in from everywhere again: for who has locked themselves out. Works beside a running service, and without one.`,
  positionals: 2,
  options: { organization: 'value' },
  required: ['organization'],
} as const satisfies Usage;
