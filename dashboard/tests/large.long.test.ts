/** What is large: a list of 100,000 predictions, and a file of five gigabytes. */
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareJourneys } from './journeys.ts';
import { askedCustomers } from './lender.ts';
import { settled } from './pages.ts';

const journey = prepareJourneys({ allowed: /net::ERR_FAILED/ });
const predictions = 100_000;
/** A statement has a limited time. */
const insertedAtOnce = 5_000;
const fileBytes = 5 * 1024 ** 3;
/** A browser reads slices of 4 MiB and frees them when it likes. */
const memoryBytesMax = 400 * 1024 ** 2;
/** Rows of the page's window, and a few beside. */
const rowsShownMax = 80;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-large-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a list of 100,000 predictions is counted, scrolled and opened, and only what is in sight is in the page', async () => {
  const { service, prediction } = journey.lender;
  for (let from = 1; from <= predictions; from += insertedAtOnce)
    await service.owner.pool.query(
      `insert into predictions select (jsonb_populate_record(one, to_jsonb(one) || jsonb_build_object(
       'id', left(one.id, length(one.id) - 6) || lpad(n::text, 6, '0')))).*
     from predictions one, generate_series($2::int, $3::int) n where one.id = $1`,
      [prediction, from, from + insertedAtOnce - 1],
    );
  const { page } = journey.shown;
  await page.goto('/predictions');
  await settled(page);
  const total = (predictions + askedCustomers).toLocaleString('en');
  await page.getByText(new RegExp(total)).first().waitFor();
  const table = page.getByRole('table', { name: 'Predictions' });
  const rowCount = async () => Number(await table.getAttribute('aria-rowcount')) - 1;
  for (let before = 0, rounds = 0; rounds < 20; rounds++) {
    before = await rowCount();
    await table.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect.poll(rowCount, { timeout: 20_000 }).toBeGreaterThan(before);
    expect(await table.getByRole('row').count()).toBeLessThan(rowsShownMax);
  }
  await table.getByRole('row').last().click();
  await page.getByRole('complementary', { name: 'credit' }).waitFor();
});

test('a file of five gigabytes is hashed beside the page, in the memory of a slice', async () => {
  const path = join(folder, 'portfolio.csv');
  writeFileSync(path, 'customer_id,correlation_id,reference_date\nc1,ref-1,2022-06-30\n');
  truncateSync(path, fileBytes);
  const { page } = journey.shown;
  const devtools = await journey.browser.newBrowserCDPSession();
  const rendererBytes = async () => {
    const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
    return Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentBytes(id)));
  };
  // It is declared once it is hashed; its bytes stay here.
  const declared = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/v2/api/files/upload'),
    { timeout: 0 },
  );
  await page.route('**/v2/api/files/upload', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await page.goto(`/batches/new?model=${journey.lender.model}&target=production`);
  await settled(page);
  const before = await rendererBytes();
  await page.locator('input[type="file"]').setInputFiles(path);
  await page
    .getByText(/Reading, \d+%/)
    .first()
    .waitFor();
  let most = 0;
  let isDeclared = false;
  const request = declared.then((one) => {
    isDeclared = true;
    return one;
  });
  while (!isDeclared) {
    most = Math.max(most, await rendererBytes());
    await page.waitForTimeout(500);
  }
  const { files } = (await request).postDataJSON();
  expect(files[0].md5).toBe(await md5Of(path));
  expect(most - before).toBeLessThan(memoryBytesMax);
  await page.getByRole('button', { name: 'Remove portfolio.csv' }).click();
  await expect.poll(() => page.getByRole('list', { name: 'Chosen files' }).count()).toBe(0);
});

async function md5Of(path: string): Promise<string> {
  const hash = createHash('md5');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest('base64');
}

/** What a process has in memory, as Linux says. */
function residentBytes(processId: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${processId}/status`, 'utf8')) ?? ['', '0'];
  return Number(kilobytes) * 1024;
}
