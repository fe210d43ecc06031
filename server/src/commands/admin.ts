import { startService } from '../app.ts';
import { readConfig } from '../config.ts';
import { Failure } from '../lib/failure.ts';
import { createKey } from '../resources/api-keys/create.ts';
import { createOrganization } from '../resources/organizations/create.ts';
import { adminUsage } from './admin-usage.ts';
import { readArguments } from './arguments.ts';

/** Creates an organization with its first key, for the operator of the host. */
export async function adminCommand(args: readonly string[], out: { write(text: string): unknown }): Promise<number> {
  const { words, values } = readArguments(args, adminUsage);
  if (words[0] !== 'bootstrap')
    throw new Failure('invalid', `there is no command admin ${words[0]}\nusage: lastro ${adminUsage.usage}`);
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(values.email!))
    throw new Failure('invalid', `--email must be an address such as ana@company.com, not ${values.email}`);
  const timeZone = values['time-zone'] ?? 'America/Sao_Paulo';
  if (!Intl.supportedValuesOf('timeZone').includes(timeZone))
    throw new Failure('invalid', `--time-zone must be a zone such as America/Sao_Paulo, not ${timeZone}`);
  const language = values.language ?? 'en';
  if (language !== 'en' && language !== 'pt-BR')
    throw new Failure('invalid', `--language must be en or pt-BR, not ${language}`);
  const service = await startService({ ...readConfig(), demo: false }, 'none');
  try {
    const { ctx, userId } = await createOrganization(service.app.db, {
      organization: values.organization!,
      workspace: values.workspace ?? 'Main',
      email: values.email!,
      timeZone,
      language,
    });
    const { id, secret } = await createKey(service.app.db, ctx, { name: 'first key', userId });
    out.write(
      `${JSON.stringify({ organization_id: ctx.organizationId, workspace_id: ctx.workspaceId, key_id: id, api_key: secret }, null, 2)}\n`,
    );
    return 0;
  } finally {
    await service.close();
  }
}
