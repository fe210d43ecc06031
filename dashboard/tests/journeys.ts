/** What journeys share: a browser, a lender's service, and a page of whoever walks; test support. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Role } from '../../server/src/access/authorize.ts';
import type { Config } from '../../server/src/config.ts';
import { launchChromium } from './chromium.ts';
import { type Lender, startLender } from './lender.ts';
import { type Look, openPage, type Shown, serveDashboard } from './pages.ts';

export type Journey = {
  browser: Browser;
  lender: Lender;
  /** The Creator's page, anew for each test. */
  shown: Shown;
  /** Another person's page, or another tab of the same one. */
  open(look?: Look): Promise<Shown>;
  signIn(role: Role): Promise<string>;
};

/** Prepares the tests of a file. They are skipped, loudly, where there is no browser. */
export function prepareJourneys(look: Look = {}, overrides: Partial<Config> = {}): Journey {
  const journey = {} as Journey;
  let cookie: string;
  const opened: Shown[] = [];
  journey.open = async (other = {}) => {
    const shown = await openPage(journey.browser, journey.lender.service, { cookie, ...look, ...other });
    opened.push(shown);
    return shown;
  };
  journey.signIn = async (role) => (await journey.lender.tenant.signedIn(role, 'organization')).headers.cookie;
  beforeAll(async () => {
    const browser = await launchChromium();
    if (!browser) return;
    journey.browser = browser;
    journey.lender = await startLender(overrides);
    await serveDashboard(journey.lender.service);
    cookie = await journey.signIn('creator');
  });
  beforeEach(async ({ skip }) => {
    if (!journey.browser) return skip();
    journey.shown = await journey.open();
  });
  afterEach(async () => {
    for (const { context, complaints } of opened.splice(0)) {
      await context.close();
      expect(complaints).toEqual([]);
    }
  });
  afterAll(async () => {
    await journey.browser?.close();
    await journey.lender?.service.close();
  });
  return journey;
}
