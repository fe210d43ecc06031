/** Each role in a browser of its own, with the pages that the permission matrix gives it; test support. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { permissionsOf, type Role } from '../../server/src/access/authorize.ts';
import { type PageEntry, pageGroups } from '../src/shell/page-list.ts';
import { launchChromium } from './chromium.ts';
import { type Lender, startLender } from './lender.ts';
import { openPage, type Shown, serveDashboard, settled } from './pages.ts';

export const pages: readonly PageEntry[] = pageGroups.flatMap((group): readonly PageEntry[] => group.pages);

/** What a page of each permission asks the API for. */
export const reads: Readonly<Partial<Record<string, string>>> = {
  invoke_predictions: '/v1/api/predictions',
  view_batches: '/v2/api/batches',
  view_models: '/v1/api/models',
  manage_webhooks: '/v1/api/webhooks',
  manage_api_keys: '/v1/api/api-keys',
  view_usage: '/v1/api/usage',
  view_invoices: '/v1/api/organization/invoices',
  view_activity_logs: '/v1/api/audit-entries',
  manage_members: '/v1/api/invitations',
  view_members: '/v1/api/members',
};

export function mayOpen(role: Role, { anyOf }: PageEntry): boolean {
  const held = permissionsOf([role], null);
  return anyOf.length === 0 || anyOf.some((one) => held.has(one));
}

export type RoleWorld = { browser: Browser | null; lender: Lender };

/** The lender and a browser for the tests of a file. */
export function prepareRoles(): RoleWorld {
  const world = {} as RoleWorld;
  beforeAll(async () => {
    world.browser = await launchChromium();
    world.lender = await startLender();
    await serveDashboard(world.lender.service);
  });
  afterAll(async () => {
    await world.browser?.close();
    await world.lender.service.close();
  });
  return world;
}

export type SignedIn = {
  shown: Shown;
  headers: Readonly<Record<string, string>>;
  /** What the API refused to the page. */
  readonly refused: string[];
};

/** Somebody of a role, at the first page, for the tests of a `describe`. */
export function signIn(world: RoleWorld, role: Role): SignedIn {
  const signed: SignedIn = { shown: undefined as never, headers: {}, refused: [] };
  beforeAll(async () => {
    if (!world.browser) return;
    const member = await world.lender.tenant.signedIn(role, 'organization');
    signed.headers = member.headers;
    signed.shown = await openPage(world.browser, world.lender.service, { cookie: member.headers.cookie });
    signed.shown.page.on('response', (response) => {
      if (response.status() === 403) signed.refused.push(`${response.request().method()} ${response.url()}`);
    });
    await signed.shown.page.goto('/');
    await settled(signed.shown.page);
  });
  afterAll(() => signed.shown?.context.close());
  return signed;
}
