import { Failure } from '../lib/failure.ts';
import {
  adminAuditUsage,
  adminBootstrapUsage,
  adminFeatureUsage,
  adminInterruptUsage,
  adminIpRulesUsage,
  adminKeysUsage,
  adminOrganizationUsage,
  adminPricePlanUsage,
  adminQueueUsage,
  adminQuotaUsage,
  adminSftpHostKeyUsage,
  adminSignInUsage,
  adminWeighUsage,
} from './admin-usage.ts';
import { helpOf, type Usage } from './arguments.ts';
import type { Told } from './beside.ts';

type Run = (args: readonly string[], out: Told) => Promise<number>;
/** Loaded on demand: the modules of the service load slowly, and help does not need them. */
type Verb = { readonly usage: Usage; load(): Promise<Run> };

const settings = () => import('./admin-settings.ts');
const verbs: Readonly<Record<string, Verb>> = {
  bootstrap: {
    usage: adminBootstrapUsage,
    load: async () => (await import('./admin-bootstrap.ts')).adminBootstrapCommand,
  },
  organization: {
    usage: adminOrganizationUsage,
    load: async () => (await import('./admin-organization.ts')).adminOrganizationCommand,
  },
  feature: { usage: adminFeatureUsage, load: async () => (await settings()).adminFeatureCommand },
  quota: { usage: adminQuotaUsage, load: async () => (await settings()).adminQuotaCommand },
  'price-plan': {
    usage: adminPricePlanUsage,
    load: async () => (await import('./admin-price-plan.ts')).adminPricePlanCommand,
  },
  keys: { usage: adminKeysUsage, load: async () => (await import('./admin-keys.ts')).adminKeysCommand },
  weigh: { usage: adminWeighUsage, load: async () => (await import('./admin-weigh.ts')).adminWeighCommand },
  queue: { usage: adminQueueUsage, load: async () => (await import('./admin-queue.ts')).adminQueueCommand },
  interrupt: {
    usage: adminInterruptUsage,
    load: async () => (await import('./admin-interrupt.ts')).adminInterruptCommand,
  },
  'sftp-host-key': {
    usage: adminSftpHostKeyUsage,
    load: async () => (await import('./admin-sftp-host-key.ts')).adminSftpHostKeyCommand,
  },
  'ip-rules': { usage: adminIpRulesUsage, load: async () => (await import('./admin-ip-rules.ts')).adminIpRulesCommand },
  audit: { usage: adminAuditUsage, load: async () => (await import('./admin-audit.ts')).adminAuditCommand },
  'sign-in': { usage: adminSignInUsage, load: async () => (await import('./admin-sign-in.ts')).adminSignInCommand },
};

/**
 * Runs `admin <verb>`, for the operator of the host. Returns the exit code. Throws Failure 'invalid' for an unknown
 * verb.
 */
export async function adminCommand(args: readonly string[], out: Told): Promise<number> {
  const [name] = args;
  if (name === undefined || ['help', '--help', '-h'].includes(name)) {
    for (const { usage } of Object.values(verbs)) out.write(`${helpOf(usage)}\n`);
    return 0;
  }
  if (!Object.hasOwn(verbs, name))
    throw new Failure('invalid', `there is no command admin ${name}; there are ${Object.keys(verbs).join(', ')}`);
  const { usage, load } = verbs[name];
  if (args.includes('--help') || args.includes('-h')) {
    out.write(helpOf(usage));
    return 0;
  }
  return (await load())(args, out);
}
