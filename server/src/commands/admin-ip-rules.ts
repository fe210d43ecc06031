import { clearRules } from '../resources/ip-rules/clear.ts';
import { adminIpRulesUsage } from './admin-usage.ts';
import { readArguments, requireWord } from './arguments.ts';
import { besideService, type Told } from './beside.ts';

/** Deletes the rules about addresses of an organization that has locked itself out, for the operator of the host. */
export async function adminIpRulesCommand(args: readonly string[], out: Told): Promise<number> {
  const { words, values } = readArguments(args, adminIpRulesUsage);
  requireWord(words, 1, ['clear'], adminIpRulesUsage);
  const organization_id = values.organization!;
  return besideService(out, async ({ app }) => ({
    organization_id,
    deleted: await clearRules(app.db, organization_id),
  }));
}
