// What the operator of the host decides about an organization.
import { operator } from '../access/actor.ts';
import { workspaceContext } from '../access/workspace-context.ts';
import { Failure } from '../lib/failure.ts';
import { listUsed } from '../resources/allowances/list-used.ts';
import { quotaMax, quotaResources } from '../resources/meters/quota.ts';
import { setFeature } from '../resources/organizations/features.ts';
import { features } from '../resources/organizations/organization.ts';
import { setQuota } from '../resources/quotas/set.ts';
import { adminFeatureUsage, adminQuotaUsage } from './admin-usage.ts';
import { type Arguments, readArguments, requireOptions, requireWord } from './arguments.ts';
import { besideService, type Told } from './beside.ts';

/** Switches a feature of an organization on or off. */
export async function adminFeatureCommand(args: readonly string[], out: Told): Promise<number> {
  const { words, values } = readArguments(args, adminFeatureUsage);
  const isOn = requireWord(words, 1, ['enable', 'disable'], adminFeatureUsage) === 'enable';
  const feature = requireWord(words, 2, features, adminFeatureUsage);
  const organization_id = values.organization!;
  return besideService(out, async ({ app }) => {
    await setFeature(app.db, organization_id, feature, isOn);
    return { organization_id, feature, enabled: isOn };
  });
}

/** Sets a quota of an organization or of one of its workspaces, or takes it away; shows what is used of each. */
export async function adminQuotaCommand(args: readonly string[], out: Told): Promise<number> {
  const { words, values } = readArguments(args, adminQuotaUsage);
  const act = requireWord(words, 1, ['set', 'show'], adminQuotaUsage);
  if (act === 'show') return showQuotas(values, out);
  requireOptions(values, ['organization', 'resource', 'limit'], adminQuotaUsage);
  const resource = quotaResources.find((one) => one === values.resource);
  if (!resource)
    throw new Failure('invalid', `--resource must be one of ${quotaResources.join(', ')}, not ${values.resource}`);
  const limit = values.limit === 'none' ? null : Number(values.limit);
  if (limit !== null && !(/^\d+$/.test(values.limit!) && limit <= quotaMax))
    throw new Failure('invalid', `--limit must be none, or a whole number up to ${quotaMax}, not ${values.limit}`);
  const [organizationId, workspaceId] = [values.organization!, values.workspace ?? null];
  return besideService(out, async ({ app }) => {
    await setQuota(app.db, { organizationId, workspaceId, resource, limit });
    return { organization_id: organizationId, workspace_id: workspaceId, resource, limit };
  });
}

function showQuotas(values: Arguments['values'], out: Told): Promise<number> {
  requireOptions(values, ['workspace'], adminQuotaUsage);
  return besideService(out, async ({ app: { db } }) => {
    const ctx = await workspaceContext(db, values.workspace!, operator);
    return { workspace_id: ctx.workspaceId, quotas: await listUsed(db, ctx) };
  });
}
