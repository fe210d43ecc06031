/** Each role sees the pages that the permission matrix gives it, and no other; and the API refuses what is not shown. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { permissionsOf, type Role, roles } from '../../server/src/access/authorize.ts';
import { type PageEntry, pageGroups } from '../src/shell/page-list.ts';
import { launchChromium } from './chromium.ts';
import { type Lender, startLender } from './lender.ts';
import { openPage, type Shown, serveDashboard, settled } from './pages.ts';

let browser: Browser | null;
let lender: Lender;

beforeAll(async () => {
  browser = await launchChromium();
  lender = await startLender();
  await serveDashboard(lender.service);
});
afterAll(async () => {
  await browser?.close();
  await lender.service.close();
});

const pages: readonly PageEntry[] = pageGroups.flatMap((group): readonly PageEntry[] => group.pages);
/** What a page of each permission asks the API for. */
const reads: Readonly<Partial<Record<string, string>>> = {
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

describe.each(roles)('%s', (role: Role) => {
  let shown: Shown;
  let headers: Readonly<Record<string, string>>;
  const refused: string[] = [];
  const mayOpen = ({ anyOf }: PageEntry) => {
    const held = permissionsOf([role], null);
    return anyOf.length === 0 || anyOf.some((one) => held.has(one));
  };

  beforeAll(async () => {
    if (!browser) return;
    const member = await lender.tenant.signedIn(role, 'organization');
    headers = member.headers;
    shown = await openPage(browser, lender.service, { cookie: headers.cookie });
    shown.page.on('response', (response) => {
      if (response.status() === 403) refused.push(`${response.request().method()} ${response.url()}`);
    });
    await shown.page.goto('/');
    await settled(shown.page);
  });
  afterAll(() => shown?.context.close());

  test('the menu has the pages of the matrix', async ({ skip }) => {
    if (!browser) skip();
    const links = await shown.page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all();
    const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
    expect(addresses).toEqual(pages.filter(mayOpen).map(({ to }) => to));
  });

  test('what it may open asks the API for nothing that is refused, and says nothing is wrong', async ({ skip }) => {
    if (!browser) skip();
    for (const { to } of pages.filter(mayOpen)) {
      await shown.page.goto(to);
      await settled(shown.page);
    }
    expect(refused).toEqual([]);
    expect(shown.complaints).toEqual([]);
  });

  test('what it may not open says who may, and the API refuses it', async ({ skip }) => {
    if (!browser) skip();
    for (const { to, anyOf } of pages.filter((page) => !mayOpen(page))) {
      await shown.page.goto(to);
      await shown.page.getByRole('heading', { name: 'You may not see this' }).waitFor();
      for (const permission of anyOf) {
        const path = reads[permission];
        if (path === undefined) continue;
        const { status } = await fetch(`${lender.service.url}${path}`, { headers });
        expect(status, `${role} ${path}`).toBe(403);
      }
    }
  });
});
