import { redactPerson } from '../resources/audit-entries/redact.ts';
import { adminAuditUsage } from './admin-usage.ts';
import { readArguments, requireWord } from './arguments.ts';
import { besideService, type Told } from './beside.ts';

/** Takes a person's name out of the audit trail, for the operator of the host. */
export async function adminAuditCommand(args: readonly string[], out: Told): Promise<number> {
  const { words, values } = readArguments(args, adminAuditUsage);
  requireWord(words, 1, ['redact'], adminAuditUsage);
  const { organization, user } = values;
  return besideService(out, async ({ app: { db } }) => ({
    ...{ organization_id: organization, user_id: user },
    redacted_entries: await redactPerson(db, organization!, user!),
  }));
}
