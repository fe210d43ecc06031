/** Pages of the dashboard in a real browser against the running service; test support. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { buildDashboard } from '../../server/src/commands/build-dashboard.ts';
import type { TestService } from '../../server/tests/service.ts';

export type Look = {
  readonly theme?: 'light' | 'dark';
  readonly language?: 'en' | 'pt-BR';
  readonly width?: number;
  readonly timeZone?: string;
  /** Of somebody who is signed in, as a header has them. */
  readonly cookie?: string;
  /** What the page may say in the console though nothing is wrong, such as of an answer of 401 that is asked for. */
  readonly allowed?: RegExp;
};

export type Shown = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors in the console, of the page, and of its content security policy, so far. */
  readonly complaints: string[];
};

const patientMs = 120_000;

/** Has the dashboard built, where it is not, and served by the service. */
export async function serveDashboard({ service }: TestService): Promise<void> {
  await buildDashboard(service.dashboard!, (line) => console.warn(line), new AbortController().signal);
  expect(service.dashboard!.isBuilt()).toBe(true);
}

/** Opens a page of its own: cookies, storage and console are nobody else's. */
export async function openPage(browser: Browser, { url }: TestService, look: Look = {}): Promise<Shown> {
  const { theme = 'light', language = 'en', width = 1440, timeZone = 'America/Sao_Paulo', cookie, allowed } = look;
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: 900 },
    colorScheme: theme,
    locale: language,
    timezoneId: timeZone,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  if (cookie) {
    const cookies = cookie.split('; ').map((pair) => {
      const [name, value] = pair.split('=');
      return { name, value, domain: new URL(url).hostname, path: '/', secure: true, httpOnly: true };
    });
    await context.addCookies(cookies);
  }
  const page = await context.newPage();
  // What a page shows comes when the machine has time for it.
  page.setDefaultTimeout(patientMs);
  const complaints: string[] = [];
  const complain = (text: string) => {
    if (!allowed?.test(text)) complaints.push(text);
  };
  page.on('console', (message) => {
    if (message.type() === 'error') complain(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complain(String(error)));
  return { page, context, complaints };
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds wrong with a page, one line for each. */
export async function axeViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  return violations.map(({ id, nodes }) => `${id} ×${nodes.length} ${nodes[0].html.slice(0, 160)}`);
}

/** Waits until a page has what it fetched: no skeleton is left. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main, h1').first().waitFor();
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
}
