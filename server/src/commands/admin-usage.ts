import type { Usage } from './arguments.ts';

export const adminBootstrapUsage = {
  usage: `admin bootstrap --organization <name> --email <address> [--workspace Main] [--time-zone America/Sao_Paulo]
       [--language en|pt-BR] [--new]`,
  about: `Makes an organization with its first workspace and a user who is Creator of all of it, and prints that user's first
key, which is shown once. Reasons of predictions are told in the workspace's language. Works beside a running service, and
without one. It says on which data it acts: those of LASTRO_DATA_DIR (./data by default), or of DATABASE_URL. Where no service
has had its data yet it refuses, unless --new says that they are to begin there.`,
  positionals: 1,
  options: {
    organization: 'value',
    email: 'value',
    workspace: 'value',
    'time-zone': 'value',
    language: 'value',
    new: 'flag',
  },
  required: ['organization', 'email'],
} as const satisfies Usage;

export const adminWeighUsage = {
  usage: 'admin weigh --workspace <id> --weight <n>',
  about: `Workspaces take turns with ingestions, trainings and batches, by the time that their work takes. One of weight 2 gets twice the
time of one of weight 1, which all have that were given none, here or by their price plan. Works beside a running service, and without one.`,
  positionals: 1,
  options: { workspace: 'value', weight: 'value' },
  required: ['workspace', 'weight'],
} as const satisfies Usage;

export const adminQueueUsage = {
  usage: 'admin queue',
  about: `Shows what waits and runs now in each queue, in all and of each workspace, with its weight, for how long its oldest job
waits, in seconds, and of which work that is. Works beside a running service, and without one.`,
  positionals: 1,
  options: {},
} as const satisfies Usage;

export const adminInterruptUsage = {
  usage: 'admin interrupt --workspace <id> --work <id>',
  about: `Interrupts work of a workspace, as its people may themselves: a batch, an ingestion, a training run, an evaluation, a
validation, a backtest, a replay or an erasure, queued or running, by the id that admin queue tells of the oldest. The trail and
events of the workspace have it as done by the operator. Works beside a running service, and without one.`,
  positionals: 1,
  options: { workspace: 'value', work: 'value' },
  required: ['workspace', 'work'],
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

export const adminOrganizationUsage = {
  usage: `admin organization create --name <name> --creator-email <address> [--workspace Main] [--time-zone America/Sao_Paulo]
       [--language en|pt-BR]
       lastro admin organization show --organization <id>
       lastro admin organization suspend --organization <id>
       lastro admin organization resume --organization <id>`,
  about: `create makes an organization with its first workspace and a user who is Creator of all of it, and prints a link by which
that user signs in once, within a day; admin sign-in makes another. show prints what the operator has decided about it.
suspend: from then on its keys, its signed addresses and whoever acts in it, signed in, are refused as organization_suspended,
and open streams end; people reach their own account and their other organizations; what is queued and what runs goes on to
its end. resume lets them in again. Works beside a running service, and without one.`,
  positionals: 2,
  options: {
    ...{ name: 'value', 'creator-email': 'value', workspace: 'value', 'time-zone': 'value', language: 'value' },
    organization: 'value',
  },
} as const satisfies Usage;

export const adminAuditUsage = {
  usage: 'admin audit redact --organization <id> --user <id>',
  about: `Takes the name of a person, the addresses and the agents out of all entries of what they did in an organization, themselves
and by their keys, where the law wants it: for good. What was done, ids and moments stay, and so does what entries say in data.
Proofs hold as before, and audit verify says how many entries are so. The act itself is kept in the trail. Exports that were made
before still have the names: their files are kept for 30 days. Works beside a running service, and without one.`,
  positionals: 2,
  options: { organization: 'value', user: 'value' },
  required: ['organization', 'user'],
} as const satisfies Usage;

export const adminFeatureUsage = {
  usage: 'admin feature enable|disable sso|sftp --organization <id>',
  about: `Says which features of the installation an organization may use: sso, single sign-on, and sftp, files by SFTP. Kept in the
trail and shown by admin organization show. Works beside a running service, and without one.`,
  positionals: 3,
  options: { organization: 'value' },
  required: ['organization'],
} as const satisfies Usage;

export const adminSftpHostKeyUsage = {
  usage: `admin sftp-host-key show
       lastro admin sftp-host-key rotate [--in-days 14]`,
  about: `show prints the fingerprints by which clients of SFTP know the server: the one of now, and the next if there is one. rotate
makes the next key, which is shown to clients in so many days (0 for at once): tell its fingerprint to them before. Running
processes show it to whoever connects after that. Works beside a running service, and without one.`,
  positionals: 2,
  options: { 'in-days': 'value' },
} as const satisfies Usage;

export const adminQuotaUsage = {
  usage: `admin quota set --organization <id> [--workspace <id>] --resource <resource> --limit <n>|none
       lastro admin quota show --workspace <id>`,
  about: `set limits how much of a resource an organization, or one workspace of it, may use in a calendar month (predictions, batch_rows,
embeddings, training_runs), have at once (open_batches, open_ingestions, open_training_runs, open_evaluations: queued or running;
stored_megabytes: files and results), or ask for in a second (predictions_per_second, of each process). What is asked for beyond
it is refused as quota_exceeded, or rate_limited of a second; work that runs goes on. That of an organization goes before what
its price plan allows. Kept in the trail and shown by admin organization show. show says which quotas a workspace is under,
its own, of its organization and of its price plan, and what is used of each. Works beside a running service, and without one.`,
  positionals: 2,
  options: { organization: 'value', workspace: 'value', resource: 'value', limit: 'value' },
} as const satisfies Usage;

export const adminPricePlanUsage = {
  usage: `admin price-plan create --plan <name> --file <path>
       lastro admin price-plan list
       lastro admin price-plan show --plan <name> [--version <n>]
       lastro admin price-plan set --organization <id> --plan <name>`,
  about: `create defines a plan, or the next version of one, by a file of JSON: monthly_fee, prices by meter, quotas and rate_limits
(docs/billing.md says how). A version never changes; organizations on the plan are charged by the newest, from the month on
whose invoice is still a draft. list shows the names and versions, show what one says, set puts an organization on a plan.
An organization that was put on none is on the plan default. Works beside a running service, and without one.`,
  positionals: 2,
  options: { organization: 'value', plan: 'value', file: 'value', version: 'value' },
} as const satisfies Usage;
