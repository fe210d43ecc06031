import type { Service } from '../app.ts';
import { Failure } from '../lib/failure.ts';
import { isTimeZone } from '../lib/time-zone.ts';
import { createKey } from '../resources/api-keys/create.ts';
import { type AskedOrganization, createOrganization } from '../resources/organizations/create.ts';
import { adminBootstrapUsage } from './admin-usage.ts';
import { type Arguments, readArguments } from './arguments.ts';
import { besideService, type Told } from './beside.ts';

/** Creates an organization with its first key, for the operator of the host. */
export async function adminBootstrapCommand(args: readonly string[], out: Told): Promise<number> {
  const { values } = readArguments(args, adminBootstrapUsage);
  const asked = readNewOrganization(values, { name: 'organization', email: 'email' });
  const begin = async ({ app: { db } }: Service) => {
    const { ctx, userId } = await createOrganization(db, asked);
    const { id, secret } = await createKey(db, ctx, { name: 'first key', userId });
    return { organization_id: ctx.organizationId, workspace_id: ctx.workspaceId, key_id: id, api_key: secret };
  };
  return besideService(out, begin, { mayBegin: values.new === 'true' });
}

/**
 * Reads what an organization is to be; `options` are those that give its name and the address of its Creator. Throws
 * Failure 'invalid'.
 */
export function readNewOrganization(
  values: Arguments['values'],
  options: { readonly name: string; readonly email: string },
): AskedOrganization {
  const email = values[options.email]!;
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email))
    throw new Failure('invalid', `--${options.email} must be an address such as ana@company.com, not ${email}`);
  const timeZone = values['time-zone'] ?? 'America/Sao_Paulo';
  if (!isTimeZone(timeZone))
    throw new Failure('invalid', `--time-zone must be a zone such as America/Sao_Paulo, not ${timeZone}`);
  const language = values.language ?? 'en';
  if (language !== 'en' && language !== 'pt-BR')
    throw new Failure('invalid', `--language must be en or pt-BR, not ${language}`);
  const organization = values[options.name]!;
  return { organization, workspace: values.workspace ?? 'Main', email, timeZone, language };
}
