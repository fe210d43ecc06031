/** What a task lets be read, drops and keeps by `features`, put through fit and eval on the shop. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { csv, type Files, lastro, orderRows, shopText, writeShop } from './shop.ts';

const task = 'tasks/returns/task.yaml';
const contract = 'contract.yaml';
const steered = (features: string): Files => ({ [task]: `${shopText(task)}features: ${features}\n` });

type Read = { readonly code: string; readonly table: string; readonly columns: string[]; readonly path: string[] };
type Report = {
  readonly features: readonly Read[];
  readonly notes: readonly string[];
  readonly outputs: readonly { readonly out_of_fold: { readonly value: number } }[];
};

async function fitted(files: Files): Promise<Report> {
  const folder = writeShop(files);
  const { code, said } = await lastro('fit', folder, '--task', 'returns', '--out', join(folder, 'version'));
  expect(code, said).toBe(0);
  return JSON.parse(readFileSync(join(folder, 'version', 'report.json'), 'utf8'));
}

const plain = fitted({});

test('what is dropped is not read, and only what is named is', async () => {
  expect((await plain).features[0].columns).toEqual(['orders.amount']);
  const dropped = await fitted(steered('{drop: [orders.amount]}'));
  expect(dropped.features.length).toBeGreaterThan(0);
  expect(dropped.features.filter(({ columns }) => columns.includes('orders.amount'))).toEqual([]);
  const only = await fitted(steered('{only: [orders.amount]}'));
  expect(new Set(only.features.flatMap(({ columns }) => columns))).toEqual(new Set(['orders.amount']));
  expect(only.features.every(({ columns }) => columns.length === 1)).toBe(true);
});

test('a table stands for all of it, and a code for the features that are listed by it', async () => {
  const untabled = await fitted(steered('{drop: [orders, "@labels"]}'));
  for (const { table, path } of untabled.features)
    expect([table, path.join()]).toEqual([
      expect.not.stringMatching(/^(orders|@labels)$/),
      expect.not.stringMatching(/orders/),
    ]);
  const [{ code }] = (await plain).features;
  const coded = await fitted(steered(`{drop: [${code}]}`));
  expect(coded.features.map((feature) => feature.code)).not.toContain(code);
  expect(coded.features.length).toBeGreaterThan(0);
});

test('what is kept stays where selection had left it out', async () => {
  const isOfSegment = ({ table, columns }: Read) => table === 'customers' && columns.includes('customers.segment');
  expect((await plain).features.filter(isOfSegment)).toEqual([]);
  const kept = await fitted(steered('{keep: [customers.segment]}'));
  expect(kept.features.filter(isOfSegment).length).toBeGreaterThan(0);
});

test('keeping reads nothing that is hidden or not known yet', async () => {
  const hidden = await fitted({
    [task]: `${shopText(task)}hide: [orders.amount]\nfeatures: {keep: [orders.amount]}\n`,
  });
  expect(hidden.features.filter(({ columns }) => columns.includes('orders.amount'))).toEqual([]);
  expect(hidden.notes).toContain('no feature is proposed of orders.amount, which features names');
  // The refund tells who returns, and is written long after every question.
  const told = (isTold: boolean) => ({
    ...steered('{keep: [orders.refund]}'),
    'tasks/returns/val.csv': null,
    [contract]: shopText(contract).replace(
      '      - name: amount\n        logicalType: number\n',
      (amount) =>
        `${amount}      - name: refunded\n        logicalType: date\n      - name: refund\n        logicalType: number\n        customProperties:\n          - property: knownFrom\n            value: refunded\n`,
    ),
    'tables/orders.csv': csv(
      'order_id,customer_id,ordered_at,amount,refunded,refund',
      orderRows.map((row, i) => [...row, '2029-01-01', isTold ? Number(row[1].toString().slice(1)) % 3 : i % 7]),
    ),
  });
  const answers = await Promise.all(
    [true, false].map(async (isTold) => {
      const folder = writeShop(told(isTold));
      const files = ['--out', join(folder, 'predictions.csv'), '--report', join(folder, 'report.json')];
      const { code, said } = await lastro('eval', folder, '--task', 'returns', '--fit', 'train', ...files);
      expect(code, said).toBe(0);
      const { model } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
      expect(model.features.filter(({ columns }: Read) => columns.includes('orders.refund'))).toEqual([]);
      return readFileSync(join(folder, 'predictions.csv'), 'utf8');
    }),
  );
  expect(answers[0]).toBe(answers[1]);
});

describe('paths that name nothing are refused with the nearest name', () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    [
      'a misspelt column',
      '{drop: [orders.amont]}',
      /features\.drop names orders\.amont, .*did you mean orders\.amount\?/,
    ],
    ['a misspelt table', '{only: [Order]}', /features\.only names Order, .*did you mean orders\?/],
    [
      'a misspelt code',
      '{keep: [orders_by_customer_amont]}',
      /names orders_by_customer_amont, .*did you mean orders_by_customer_amount\?/,
    ],
    [
      'one of nothing',
      '{keep: [weather]}',
      /names weather, which is neither a column .*, a table nor the code of a feature$/m,
    ],
    ['another word', '{hide: [orders.amount]}', /line 8, features\.hide: unknown field; known here: only, drop, keep/],
    ['an empty list', '{only: []}', /features\.only: is empty: name columns, tables or codes, or leave it out/],
    ['a number', '{only: [7]}', /features\.only\[0\]: must be a text, not 7/],
    [
      'what is dropped and kept',
      '{drop: [orders], keep: [orders]}',
      /features\.keep: names orders, which drop names too/,
    ],
    ['nothing left', '{only: [orders.amount], drop: [orders]}', /features leaves nothing to learn from/],
  ];
  test.each(cases)('%s', async (_name, features, message) => {
    const folder = writeShop(steered(features));
    const { code, said } = await lastro('fit', folder, '--task', 'returns', '--out', join(folder, 'version'));
    expect([code, said]).toEqual([2, expect.stringMatching(message)]);
  });
});
