/** The rows of the test file are asked about, and learned from by nobody. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { day } from '../samples.ts';
import { evaluated } from './commands.ts';
import { labels } from './tasks.ts';
import { end, ids, isoDay } from './world.ts';

const temporary = mkdtempSync(join(tmpdir(), 'leakage-'));
afterAll(() => rmSync(temporary, { recursive: true }));

test('other rows of the test file move neither the model nor the predictions of those that stay', async () => {
  const { train, test: rows } = labels.churn;
  const some = rows.filter((_, k) => k % 3 === 0);
  const more = [
    ...rows.toReversed(),
    ...ids(30, 700).map((customer_id) => ({ customer_id, date: isoDay(end + 99 * day) })),
  ];
  const both = await Promise.all([
    evaluated(temporary, { train, test: some }, 'churn'),
    evaluated(temporary, { train, test: more }, 'churn'),
  ]);
  const [few, many] = both.map(({ predictions }) => predictions);
  for (const [key, prediction] of few) expect(many.get(key)).toBe(prediction);
  expect(few.size).toBe(some.length);
  expect(both[0].model).toEqual(both[1].model);
  const [first, ...others] = train;
  const relabelled = await evaluated(
    temporary,
    { train: [{ ...first, left: 1 - Number(first.left) }, ...others], test: some },
    'churn',
  );
  expect([...relabelled.predictions]).not.toEqual([...few]);
});
