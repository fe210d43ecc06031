/** The page of a table: its rows as the data have them, page by page, and without what is personal. */
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeContract } from '../../server/src/ml/contract/write.ts';
import { sampleContract } from '../../server/tests/samples.ts';
import { startTestService, type Tenant, type TestService } from '../../server/tests/service.ts';
import { csv } from '../../server/tests/shop.ts';
import { takeIn } from '../../server/tests/take-in.ts';
import { launchChromium } from './chromium.ts';
import { axeViolations, type Look, openPage, serveDashboard, settled } from './pages.ts';

let browser: Browser | null;
let service: TestService;
let tenant: Tenant;

const contract = sampleContract([
  {
    name: 'firm',
    key: 'document',
    entityKind: 'company',
    columns: { document: 'string', city: 'string', email: { type: 'string', pii: true } },
  },
  {
    name: 'invoice',
    key: 'invoice_id',
    time: 'issued_on',
    references: { document: 'firm' },
    columns: {
      ...{ invoice_id: 'string', document: 'string', issued_on: 'date', due_on: { type: 'date', planned: true } },
      ...{ amount: 'number', instalments: 'integer', is_paid: 'boolean', paid_at: 'timestamp', note: 'string' },
    },
  },
]);
const two = (n: number) => String(n).padStart(2, '0');
const notes = [
  'delivered to the side gate',
  '',
  'the customer asked for two separate invoices and for one to each of its branches',
];
const invoices = Array.from({ length: 63 }, (_, i) => [
  ...[`NF-${4100 + i}`, i % 3 ? '11222333000181' : '44555666000172', `2025-0${1 + (i % 6)}-${two(1 + (i % 28))}`],
  ...[`2025-0${2 + (i % 6)}-${two(1 + (i % 28))}`, i === 0 ? 0.1 : (i * 1234.567).toFixed(3), i % 5 ? i % 12 : ''],
  ...[
    i % 4 ? 'true' : 'false',
    i % 4 ? `2025-0${1 + (i % 6)}-${two(1 + (i % 28))}T1${i % 10}:05:00` : '',
    notes[i % 3],
  ],
]);

beforeAll(async () => {
  browser = await launchChromium();
  if (!browser) return;
  service = await startTestService();
  await serveDashboard(service);
  tenant = await service.tenant('Seller', { language: 'en', timeZone: 'UTC' });
  await takeIn(tenant.client, writeContract(contract), {
    firm: csv('document,city,email', [
      ['11222333000181', 'Recife', 'a@firm.example'],
      ['44555666000172', '', 'b@firm.example'],
    ]),
    invoice: csv('invoice_id,document,issued_on,due_on,amount,instalments,is_paid,paid_at,note', invoices),
  });
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const open = async (role: 'creator' | 'analyst', look: Look = {}) => {
  const { headers } = await tenant.signedIn(role, 'organization');
  return openPage(browser!, service, { cookie: headers.cookie, ...look });
};

test('a table is opened by its line, and shows its rows in the language of the page, fifty at first', async ({
  skip,
}) => {
  if (!browser) return skip();
  const { page, complaints } = await open('creator');
  await page.goto('/data');
  await page.getByRole('row').filter({ hasText: 'invoice' }).first().click();
  await page.waitForURL(/\/data\/tables\/invoice/);
  const rows = page.getByRole('region', { name: 'Rows of invoice' }).getByRole('row');
  await page.getByText('50 of 63 rows').waitFor();
  const heads = await rows.first().getByRole('columnheader').allInnerTexts();
  expect(heads.map((text) => text.split('\n')[0]!.trim())).toEqual([
    'Row',
    ...contract.tables[1]!.columns.map((c) => c.name),
  ]);
  expect(await rows.nth(1).getByRole('cell').allInnerTexts()).toEqual([
    '1',
    'NF-4100',
    '44555666000172',
    'Jan 1, 2025',
    'Feb 1, 2025',
    '0.1',
    'null',
    'no',
    'null',
    notes[0],
  ]);
  const paidAt = rows.nth(2).getByRole('cell').nth(8);
  expect(await paidAt.innerText()).toBe('Feb 2, 2025, 11:05:00 AM');
  expect(await paidAt.getAttribute('title')).toBe('2025-02-02T11:05:00');
  // What is copied of a value is what the data have.
  await page.evaluate((cell) => getSelection()!.selectAllChildren(cell!), await paidAt.elementHandle());
  await page.keyboard.press('Control+C');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('2025-02-02T11:05:00');
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByText('63 of 63 rows').waitFor();
  expect(await rows.count()).toBe(64);
  expect(await axeViolations(page)).toEqual([]);
  await rows.nth(1).getByRole('link', { name: '44555666000172' }).click();
  await page.waitForURL(/\/entities\/firm\/44555666000172/);
  expect(complaints).toEqual([]);
});

test('rows are found by their key and ordered by their date, as the address says, and saved as they are', async ({
  skip,
}) => {
  if (!browser) return skip();
  const { page, complaints } = await open('creator');
  await page.goto('/data/tables/invoice?order=newest');
  const rows = page.getByRole('region', { name: 'Rows of invoice' }).getByRole('row');
  await page.getByText('50 of 63 rows').waitFor();
  const days = invoices.map(([, , day]) => String(day)).toSorted();
  const shownDay = () => rows.nth(1).getByRole('cell').nth(3).getAttribute('title');
  expect(await shownDay()).toBe(days.at(-1));
  await page.getByRole('combobox', { name: 'Order of the rows' }).selectOption('oldest');
  await page.waitForURL(/order=oldest/);
  await expect.poll(shownDay).toBe(days[0]);

  await page.getByRole('searchbox').fill('NF-4150');
  await page.keyboard.press('Enter');
  await page.waitForURL(/key=NF-4150/);
  await page.getByText('1 found among 63 rows').waitFor();
  const amounts = rows.nth(1).getByRole('cell').nth(5);
  expect([await amounts.innerText(), await amounts.getAttribute('title')]).toEqual(['61,728.35', '61728.35']);
  await page.getByRole('combobox', { name: 'How the key is meant' }).selectOption('begins');
  await page.getByRole('searchbox').fill('NF-411');
  await page.keyboard.press('Enter');
  await page.getByText('10 found among 63 rows').waitFor();
  await page.reload();
  await page.getByText('10 found among 63 rows').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('NF-411');
  expect(await axeViolations(page)).toEqual([]);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const [head, first, ...more] = readFileSync(await download.path(), 'utf8')
    .replace('\ufeff', '')
    .trim()
    .split('\r\n');
  expect(head).toBe(contract.tables[1]!.columns.map(({ name }) => name).join(','));
  expect(first).toBe(invoices[10]!.join(',').replace('12345.670', '12345.67'));
  expect(more).toHaveLength(9);

  await page.getByRole('searchbox').fill('nobody');
  await page.keyboard.press('Enter');
  await page.getByText('No row has a key that begins with nobody').waitFor();
  await page.getByRole('button', { name: 'Show all rows' }).click();
  await page.getByText('50 of 63 rows').waitFor();
  expect(complaints).toEqual([]);
});

test('columns that say who people are stand below the rows, by their names alone', async ({ skip }) => {
  if (!browser) return skip();
  const { page, complaints } = await open('creator');
  await page.goto('/data/tables/firm');
  await page.getByText('Not shown, because it says who people are: email.').waitFor();
  expect(await page.locator('#content').innerText()).not.toContain('firm.example');
  expect(complaints).toEqual([]);
});

test('on a phone the rows scroll in their own panel, and the page does not', async ({ skip }) => {
  if (!browser) return skip();
  const { page } = await open('creator', { width: 390, theme: 'dark' });
  await page.goto('/data/tables/invoice');
  await page.getByText('50 of 63 rows').waitFor();
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(widths[0]).toBe(widths[1]);
  expect(await axeViolations(page)).toEqual([]);
});

test('who may not download files is led to the contract, and told so on the page of a table', async ({ skip }) => {
  if (!browser) return skip();
  const { page } = await open('analyst');
  await page.goto('/data');
  await page.getByRole('row').filter({ hasText: 'invoice' }).first().click();
  await page.waitForURL(/\/data\/contracts\/con_/);
  await page.goto('/data/tables/invoice');
  await settled(page);
  await page.getByText('Creator').first().waitFor();
});
