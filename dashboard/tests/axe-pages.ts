/** Every page in one look: nothing for axe to find, nothing in the console, nothing the policy refuses; test support. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from './chromium.ts';
import { type Lender, startLender } from './lender.ts';
import { pagePaths } from './page-paths.ts';
import { axeViolations, type Look, openPage, serveDashboard, settled } from './pages.ts';

/** `isTried` picks some of the addresses; all are tried without it. */
export function testPages(
  look: Required<Pick<Look, 'theme' | 'language' | 'width'>>,
  isTried: (path: string) => boolean = () => true,
): void {
  describe(`${look.theme}, ${look.language}, ${look.width} px`, () => {
    let browser: Browser | null;
    let lender: Lender;
    let cookie: string;

    beforeAll(async () => {
      browser = await launchChromium();
      lender = await startLender();
      await serveDashboard(lender.service);
      cookie = (await lender.tenant.signedIn('creator', 'organization')).headers.cookie;
    });
    afterAll(async () => {
      await browser?.close();
      await lender.service.close();
    });

    test('the pages before the sign-in', async ({ skip }) => {
      if (!browser) skip();
      // Who is signed in is asked for, and nobody is.
      const { page, context, complaints } = await openPage(browser!, lender.service, { ...look, allowed: /401/ });
      for (const path of ['/sign-in', '/password-reset', '/sign-up', '/invitation'].filter(isTried)) {
        await page.goto(path);
        await settled(page);
        expect({ path, violations: await axeViolations(page) }).toEqual({ path, violations: [] });
      }
      expect(complaints).toEqual([]);
      await context.close();
    });

    test('the pages behind it', async ({ skip }) => {
      if (!browser) skip();
      const { page, context, complaints } = await openPage(browser!, lender.service, { ...look, cookie });
      const found: string[] = [];
      const paths = pagePaths(lender).filter(isTried);
      expect(paths.length).toBeGreaterThan(5);
      for (const path of paths) {
        await page.goto(path);
        await settled(page);
        for (const violation of await axeViolations(page)) found.push(`${path}: ${violation}`);
        // A page that is wider than the window moves sideways under the finger.
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        if (width > look.width) found.push(`${path}: ${width} px wide`);
        // What stands to the right of a table's edge is not looked for.
        const hidden = await page
          .getByRole('table')
          .evaluateAll((tables) =>
            tables.flatMap((table) =>
              table.scrollWidth > table.clientWidth ? [table.getAttribute('aria-label')] : [],
            ),
          );
        for (const table of hidden) found.push(`${path}: ${table} is wider than its place`);
        for (const complaint of complaints.splice(0)) found.push(`${path}: ${complaint}`);
      }
      expect(found).toEqual([]);
      await context.close();
    });
  });
}
