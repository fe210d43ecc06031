import { startService } from '../app.ts';
import { readConfig } from '../config.ts';
import { Failure } from '../lib/failure.ts';
import { clearRules } from '../resources/ip-rules/clear.ts';
import { adminIpRulesUsage } from './admin-usage.ts';
import { readArguments } from './arguments.ts';

/** Deletes the rules about addresses of an organization that has locked itself out, for the operator of the host. */
export async function adminIpRulesCommand(
  args: readonly string[],
  out: { write(text: string): unknown },
): Promise<number> {
  const { words, values } = readArguments(args, adminIpRulesUsage);
  if (words[1] !== 'clear')
    throw new Failure(
      'invalid',
      `there is no command admin ip-rules ${words[1]}\nusage: lastro ${adminIpRulesUsage.usage}`,
    );
  const service = await startService({ ...readConfig(), demo: false }, 'none');
  try {
    const deleted = await clearRules(service.app.db, values.organization!);
    out.write(`${JSON.stringify({ organization_id: values.organization, deleted }, null, 2)}\n`);
    return 0;
  } finally {
    await service.close();
  }
}
