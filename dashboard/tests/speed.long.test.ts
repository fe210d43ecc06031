/**
 * How fast the dashboard is, held against the least that a browser does in the same run: its first page against a title
 * shown by React, and scrolling 100,000 predictions against a list with nothing in its rows.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../server/tests/service.ts';
import { launchChromium } from './chromium.ts';
import { openPage, serveDashboard } from './pages.ts';

const slowdown = 4;
const tries = 3;
const rowCount = 100_000;
const frames = 200;
/** Rows that come into sight with each frame, as when somebody pulls the bar. */
const rowsPerFrame = 8;
const framesRatioMax = 2;
/** 1.5 s where the least page takes a quarter of a second. */
const firstPageRatioMax = 6;
const waitMsMax = 120_000;

let browser: Browser | null;
let service: TestService;
let cookie: string;
let least: PreviewServer;
let folder: string;
let leastUrl: string;

beforeAll(async () => {
  browser = await launchChromium();
  if (!browser) return;
  service = await startTestService();
  const tenant = await service.tenant('Fast', { language: 'en' });
  cookie = (await tenant.signedIn('creator', 'organization')).headers.cookie;
  await serveDashboard(service);
  const root = join(import.meta.dirname, 'speed');
  folder = mkdtempSync(join(tmpdir(), 'lastro-least-'));
  const input = ['blank', 'list'].map((name) => join(root, `${name}.html`));
  const options = { root, configFile: false, logLevel: 'error', mode: 'production' } as const;
  process.env.NODE_ENV = 'production';
  await build({
    ...options,
    build: { outDir: folder, modulePreload: { polyfill: false }, rolldownOptions: { input } },
  });
  least = await preview({ ...options, build: { outDir: folder }, preview: { port: 0, host: 'localhost' } });
  leastUrl = least.resolvedUrls!.local[0];
});
beforeEach(({ skip }) => {
  if (!browser) skip();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await least?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test('the first page is usable soon after the least page would be', async () => {
  const ratios: number[] = [];
  for (let n = 0; n < tries; n++) {
    const blank = await msUntilUsable(`${leastUrl}blank.html`);
    const first = await msUntilUsable('/');
    console.log(`first page ${first.toFixed(0)} ms, blank ${blank.toFixed(0)} ms, ratio ${(first / blank).toFixed(2)}`);
    ratios.push(first / blank);
  }
  expect(Math.min(...ratios)).toBeLessThanOrEqual(firstPageRatioMax);
});

test('scrolling 100,000 predictions takes no more than twice the time of empty rows', async () => {
  const ratios: number[] = [];
  for (let n = 0; n < tries; n++) {
    const { page: empty, context } = await openPage(browser!, service, { cookie });
    await empty.goto(`${leastUrl}list.html?rows=${rowCount}`);
    const emptyMs = await frameMs(empty);
    await context.close();
    const { page } = await openPage(browser!, service, { cookie });
    await page.addInitScript(answerWithPredictions, rowCount);
    await page.goto('/predictions');
    const ms = await frameMs(page);
    await page.context().close();
    console.log(
      `p95 of frames ${ms.toFixed(1)} ms, of empty rows ${emptyMs.toFixed(1)} ms, ratio ${(ms / emptyMs).toFixed(2)}`,
    );
    ratios.push(ms / emptyMs);
  }
  expect(Math.min(...ratios)).toBeLessThanOrEqual(framesRatioMax);
});

/** From the start of the navigation until the page has its title and nothing that it waits for, on a slowed processor. */
async function msUntilUsable(path: string): Promise<number> {
  const { page } = await openPage(browser!, service, { cookie });
  await slow(page);
  await page.goto(path, { waitUntil: 'commit' });
  const usable = await page.waitForFunction(
    () => document.querySelector('h1') && !document.querySelector('[aria-busy="true"]') && performance.now(),
  );
  const ms = Number(await usable.jsonValue());
  await page.context().close();
  return ms;
}

async function slow(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
}

/** The time between frames, of which a twentieth take longer, while the table is scrolled. */
async function frameMs(page: Page): Promise<number> {
  page.setDefaultTimeout(waitMsMax);
  const table = page.getByRole('table');
  await table.getByRole('row').nth(5).waitFor();
  const times = await table.evaluate(
    async (element, { frames, step }) => {
      const nextFrame = () => new Promise<number>((done) => requestAnimationFrame(done));
      const times: number[] = [];
      let before = await nextFrame();
      for (let n = 0; n < frames; n++) {
        element.scrollTop += step;
        const now = await nextFrame();
        times.push(now - before);
        before = now;
      }
      return times;
    },
    { frames, step: rowsPerFrame * 36 },
  );
  return times.sort((one, other) => one - other)[Math.ceil(0.95 * times.length) - 1];
}

/** Has the page's own requests for predictions answered in the page with as many of them, all at once. */
function answerWithPredictions(count: number): void {
  const bands = ['Exceptional', 'Low Risk', 'Moderate Risk', 'Medium Risk', 'High Risk', 'Very High Risk'];
  const ask = window.fetch;
  const predictionOf = (n: number) => ({
    ...{ id: `prd_${String(n).padStart(32, '0')}`, model_id: 'mdl_1', version_id: 'ver_1', alias: 'production' },
    ...{ channel: 'api', as_of: '2026-06-30T00:00:00Z', latency_ms: 3 + (n % 90), request_id: null, inputs: {} },
    ...{ entity: { table: 'customers', key: `c${n}` }, band: bands[n % bands.length] },
    ...{ outputs: { score: (n * 37) % 1000 }, created_at: new Date(Date.UTC(2026, 5, 30) - n * 60_000).toISOString() },
  });
  window.fetch = async (input, init) => {
    if (!/\/v1\/api\/predictions\?/.test(input instanceof Request ? input.url : String(input))) return ask(input, init);
    const data = Array.from({ length: count }, (_, n) => predictionOf(n));
    return Response.json({ data, has_more: false, next_cursor: null });
  };
}
