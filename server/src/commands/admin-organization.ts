import type { App } from '../resources/app.ts';
import { createOrganization } from '../resources/organizations/create.ts';
import { showOrganization } from '../resources/organizations/show.ts';
import { resumeOrganization, suspendOrganization } from '../resources/organizations/suspend.ts';
import { listQuotas } from '../resources/quotas/list.ts';
import { issueOperatorLink } from '../resources/sessions/link.ts';
import { readNewOrganization } from './admin-bootstrap.ts';
import { adminOrganizationUsage } from './admin-usage.ts';
import { type Arguments, readArguments, requireOptions, requireWord } from './arguments.ts';
import { besideService, type Told } from './beside.ts';

/** Makes, shows, suspends and resumes organizations, for the operator of the host. */
export async function adminOrganizationCommand(args: readonly string[], out: Told): Promise<number> {
  const { words, values } = readArguments(args, adminOrganizationUsage);
  const act = acts[requireWord(words, 1, Object.keys(acts), adminOrganizationUsage)];
  requireOptions(values, act.required, adminOrganizationUsage);
  return besideService(out, act.prepare(values));
}

type Act = {
  readonly required: readonly string[];
  /** Checks the options, before anything is opened, and returns what to do. */
  prepare(values: Arguments['values']): (service: { readonly app: App }) => Promise<unknown>;
};

const acts: Readonly<Record<string, Act>> = {
  create: {
    required: ['name', 'creator-email'],
    prepare(values) {
      const asked = readNewOrganization(values, { name: 'name', email: 'creator-email' });
      return async ({ app }) => {
        const { ctx } = await createOrganization(app.db, asked);
        const { user_id, link, token } = await issueOperatorLink(app, asked.email);
        return { organization_id: ctx.organizationId, workspace_id: ctx.workspaceId, user_id, token, link };
      };
    },
  },
  show: {
    required: ['organization'],
    prepare:
      ({ organization: id }) =>
      async ({ app: { db } }) => ({ ...(await showOrganization(db, id!)), quotas: await listQuotas(db, id!) }),
  },
  suspend: {
    required: ['organization'],
    prepare: (values) => settingStatus(values, suspendOrganization, 'suspended'),
  },
  resume: {
    required: ['organization'],
    prepare: (values) => settingStatus(values, resumeOrganization, 'active'),
  },
};

function settingStatus(
  { organization: id }: Arguments['values'],
  set: typeof suspendOrganization,
  status: 'active' | 'suspended',
): ReturnType<Act['prepare']> {
  return async ({ app }) => {
    await set(app.db, id!);
    return { organization_id: id, status };
  };
}
