import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pricedMeters } from '../meters/meter.ts';
import { chargesOf, totalOf } from './charge.ts';
import { decimalOf, readMicros, toCents } from './money.ts';
import { type PlanDocument, readPlan } from './price-plan.ts';

const price = fc
  .tuple(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([whole, micros]) => `${whole}.${String(micros).padStart(6, '0')}`);
const tiers = fc
  .tuple(fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 4 }), fc.array(price, { minLength: 5 }))
  .map(([bounds, prices]) =>
    [...bounds.sort((a, b) => a - b), null].map((up_to, at) => ({ up_to, price: prices[at] })),
  );
const plan = fc
  .tuple(
    fc.integer({ min: 0, max: 1_000_000 }),
    fc.dictionary(fc.constantFrom(...pricedMeters), fc.record({ per: fc.constantFrom(1, 3, 7, 1_000, 30_000), tiers })),
  )
  .map(([fee, prices]) => ({ monthly_fee: decimalOf(BigInt(fee)), prices }) as PlanDocument);
const used = fc.dictionary(fc.constantFrom(...pricedMeters), fc.integer({ min: 0, max: 3_000_000 }));

test('lines add up to the meter, each is within half a centavo of its price, and the total is their sum', () => {
  fc.assert(
    fc.property(plan, used, (document, units) => {
      const lines = chargesOf(readPlan(JSON.stringify(document)), units);
      for (const meter of pricedMeters) {
        const own = lines.filter((line) => line.meter === meter);
        expect(own.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(units[meter] ?? 0);
        for (const { price, per, quantity, amountCents } of own) {
          // Twice the error in millionths, times `per`: at most one centavo of 10,000 millionths.
          const error = 2n * BigInt(quantity) * readMicros(price)! - 2n * BigInt(amountCents) * BigInt(per) * 10_000n;
          expect(error < 10_000n * BigInt(per) && error >= -10_000n * BigInt(per)).toBe(true);
        }
      }
      const sum = lines.reduce((total, { amountCents }) => total + BigInt(amountCents), 0n);
      expect(BigInt(totalOf(lines))).toBe(sum);
      expect(
        lines.filter(({ meter }) => meter === null).map(({ amountCents }) => decimalOf(BigInt(amountCents))),
      ).toEqual(document.monthly_fee === '0.00' ? [] : [document.monthly_fee]);
    }),
    { seed: 1 },
  );
});

test('units fill the tiers one after the other: a sum by hand', () => {
  const document = readPlan(
    JSON.stringify({
      monthly_fee: '499.90',
      prices: {
        predictions: {
          per: 1_000,
          tiers: [
            { up_to: 10_000, price: '0' },
            { up_to: 50_000, price: '12.50' },
            { up_to: null, price: '9.999999' },
          ],
        },
      },
    }),
  );
  const lines = chargesOf(document, { predictions: 51_234, embeddings: 7 });
  expect(lines.map(({ fromUnit, upTo, quantity, amountCents }) => [fromUnit, upTo, quantity, amountCents])).toEqual([
    [1, null, 1, 49_990],
    [1, 10_000, 10_000, 0],
    [10_001, 50_000, 40_000, 50_000],
    // 1,234 × 9.999999 / 1,000 = 12.339998766 reais.
    [50_001, null, 1_234, 1_234],
    [1, null, 7, 0],
  ]);
  expect(totalOf(lines)).toBe(101_224);
});

test('half a centavo goes upwards', () => {
  expect([4_999n, 5_000n, 14_999n, 15_000n].map((micros) => toCents(micros, 1n))).toEqual([0n, 1n, 1n, 2n]);
  expect(toCents(10_000n, 3n)).toBe(0n);
  expect(toCents(15_000n, 3n)).toBe(1n);
});

test.each([
  ['{', 'no JSON'],
  ['{"monthly_fee":"1"}', 'prices'],
  ['{"monthly_fee":"1.005","prices":{}}', '/monthly_fee must be an amount'],
  ['{"monthly_fee":"-1","prices":{}}', '/monthly_fee must be an amount'],
  ['{"monthly_fee":"0","prices":{"training_runs":{"per":1,"tiers":[{"up_to":null,"price":"1"}]}}}', 'training_runs'],
  [
    '{"monthly_fee":"0","prices":{"predictions":{"per":1,"tiers":[{"up_to":5,"price":"1"}]}}}',
    'must be null in the last',
  ],
  ['{"monthly_fee":"0","prices":{"predictions":{"per":1,"tiers":[{"up_to":null,"price":"1,5"}]}}}', '/price must be'],
  [
    '{"monthly_fee":"0","prices":{"predictions":{"per":1,"tiers":[{"up_to":5,"price":"1"},{"up_to":5,"price":"1"},{"up_to":null,"price":"1"}]}}}',
    '/prices/predictions/tiers/1/up_to must be more',
  ],
  ['{"monthly_fee":"0","prices":{},"quotas":{"storage_megabyte_days":1}}', 'storage_megabyte_days'],
])('a plan that cannot be used is refused: %s', (text, why) => {
  expect(() => readPlan(text)).toThrow(why);
});
