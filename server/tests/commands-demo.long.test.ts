/** The demo without a service: a lender made up, learned and scored. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lastro } from './shop.ts';

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'lastro-demo-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const lines = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');

test('the demo shows scores, probabilities, reasons and how good it is', async () => {
  const folder = join(place, 'demo');
  const { code, out, said } = await lastro('demo', '--folder', folder, '--customers', '200');
  expect(code, said).toBe(0);
  for (const days of [30, 60, 90, 180, 365])
    expect(out).toMatch(new RegExp(`pd_${days}d +AUROC 0\\.\\d{3} ± 0\\.\\d{3} +Brier 0\\.\\d{4} +calibration error`));
  expect(out).toMatch(
    /\S{14,18} {2}score \d{1,4} {2}(Very )?(High|Medium|Low) Risk {2}\(history: [\d.]+ % of what the model reads\)/,
  );
  expect(out).toMatch(/pd_30d \d+\.\d % {2}pd_60d .*pd_365d \d+\.\d %/);
  expect(out).toMatch(/^ {4}· \S/m);
  expect(said).toContain('nobody in it exists');
  expect(lines(join(folder, 'scored.csv'))).toHaveLength(lines(join(folder, 'lender', 'applications.csv')).length);
});
