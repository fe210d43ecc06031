/** Spoilt table files and contracts, put through the commands that read them. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { csv, customerRows, type Files, lastro, orderRows, ordersParquet, shopText, writeShop } from './shop.ts';

const customers = 'tables/customers.csv';
const orders = 'tables/orders.csv';
const contract = 'contract.yaml';
const orderText = shopText(orders);

const fit = (folder: string) => lastro('fit', folder, '--task', 'returns', '--out', join(folder, 'version'));
const infer = (folder: string) => lastro('contract', 'infer', folder);
const check = (folder: string) => lastro('contract', 'check', join(folder, contract), folder);

test('nothing is said of files in which nothing is wrong', async () => {
  const folder = writeShop();
  expect(await check(folder)).toMatchObject({ code: 0, out: expect.not.stringContaining('deviation') });
  const { code, said } = await fit(folder);
  expect(code).toBe(0);
  // Of 80 later rows nobody can tell yet whether probabilities are right.
  expect(said.split('\n').filter((line) => line.includes('warning'))).toEqual([
    expect.stringContaining('cannot be told yet: 80 later rows'),
  ]);
});

describe('a file that cannot be a table is refused by every command, by name and with what to do', () => {
  const cases: readonly (readonly [string, Files, RegExp])[] = [
    ['empty', { [orders]: '' }, /orders\.csv: the file is empty\. Expected Parquet, CSV with a header, or JSONL/],
    [
      'with a column named twice',
      { [orders]: orderText.replace('amount', 'customer_id') },
      /orders\.csv: columns 2 and 4 are both called "customer_id".*Rename one/,
    ],
    ['full of NUL bytes', { [orders]: new Uint8Array(5_000) }, /orders\.csv: the file holds NUL bytes/],
    [
      'called Parquet and not Parquet',
      { [orders]: null, 'tables/orders.parquet': orderText },
      /orders\.parquet: called \.parquet but does not start with the mark of a Parquet file/,
    ],
    [
      'in two files',
      { 'tables/orders.jsonl': '{"order_id":"O1"}\n' },
      /table orders: orders\.csv and orders\.jsonl in .*; leave one of them/,
    ],
  ];
  test.each(cases)('%s', async (_name, files, message) => {
    const folder = writeShop(files);
    for (const outcome of [await fit(folder), await infer(folder)]) {
      expect(outcome.code).toBe(2);
      expect(outcome.said).toMatch(message);
    }
    expect((await check(folder)).code).toBe(2);
  });

  test('a Parquet file cut short', async () => {
    const bytes = await ordersParquet();
    const folder = writeShop({ [orders]: null, 'tables/orders.parquet': bytes.subarray(0, bytes.length * 0.6) });
    for (const outcome of [await fit(folder), await infer(folder), await check(folder)]) {
      expect(outcome.code).toBe(2);
      expect(outcome.said).toMatch(/orders\.parquet: the Parquet data is damaged or cut short/);
    }
  });
});

test('Parquet called CSV is read for what it is', async () => {
  const folder = writeShop({ [orders]: await ordersParquet() });
  for (const outcome of [await fit(folder), await infer(folder)]) {
    expect(outcome.code).toBe(0);
    expect(outcome.said).toContain('warning: orders.csv: called .csv but is Parquet, and was read as Parquet');
  }
});

describe('rows that cannot be read are counted with file, row and reason, and the others go on', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['ragged', 'X1,C1\nX2,C1,2023-05-05,1,2\n', '2', 'row 481: expected 4 fields, found 2'],
    ['with a NUL byte', 'X1,C1,2023-05-05,\0\n', '1', 'row 481: the row holds NUL bytes'],
    ['of eleven megabytes', `X1,C1,2023-05-05,${'9'.repeat(11e6)}\n`, '1', 'row 481: the row is longer than 10 MB'],
  ];
  test.each(cases)('%s', async (_name, rows, count, reason) => {
    const folder = writeShop({ [orders]: orderText + rows });
    const learned = await fit(folder);
    expect(learned.code).toBe(0);
    expect(learned.said).toContain(`warning: table orders: ${count} values or rows rejected: orders.csv, ${reason}`);
    const inferred = await infer(folder);
    expect(inferred.said).toContain(`warning: orders: ${count} rows or values cannot be read, the first in ${reason}`);
    expect(await check(folder)).toMatchObject({ code: 1, out: expect.stringContaining('data unreadable_row') });
  });
});

test('values of another type are missing, and told with row and column', async () => {
  const folder = writeShop({ [orders]: orderText.replace('2023-01-08', '8/1/2023').replace(/,\d+\n/, ',a lot\n') });
  const { code, said } = await fit(folder);
  expect(code).toBe(0);
  expect(said).toContain('orders.csv, row 1, column ordered_at: expected a date such as 2024-01-31, found "8/1/2023"');
  expect(said).toContain('orders.csv, row 1, column amount: expected a number, found "a lot"');
  expect(said).toContain('warning: table orders: 1 of 480 rows have no event time');
  expect((await check(folder)).out).toContain('data wrong_type: amount: 1 row');
});

describe('columns', () => {
  test('a missing key is refused, with the columns there are', async () => {
    const folder = writeShop({ [orders]: orderText.replace('order_id', 'number') });
    const { code, said } = await fit(folder);
    expect(code).toBe(2);
    expect(said).toContain(
      'orders.csv: the required column "order_id" is absent. The file has "number", "customer_id"',
    );
    expect((await check(folder)).out).toContain('structure missing_column: order_id');
  });

  test('a missing reference, a missing time and an unknown column are named', async () => {
    const folder = writeShop({ [orders]: orderText.replace('customer_id,ordered_at', 'buyer,moment') });
    const { code, said } = await fit(folder);
    expect(code).toBe(0);
    expect(said).toContain('warning: orders.csv: column "customer_id" is absent, and missing in every row');
    expect(said).toContain('warning: orders.csv: column "ordered_at" is absent, and missing in every row');
    expect(said).toContain('warning: table orders: columns not in the contract were ignored: buyer, moment');
    expect(said).toContain('warning: table orders: 480 of 480 rows have no event time');
  });

  test('a thousand of them are read, inferred and learned from', async () => {
    const names = Array.from({ length: 1_000 }, (_, i) => `x${i}`);
    const rows = orderRows.map((row, j) => [...row, ...names.map((_, i) => (i * j) % 7)]);
    const folder = writeShop({
      [contract]:
        shopText(contract) + names.map((name) => `      - name: ${name}\n        logicalType: number\n`).join(''),
      [orders]: csv(`order_id,customer_id,ordered_at,amount,${names.join(',')}`, rows),
    });
    expect((await fit(folder)).code).toBe(0);
    expect(await infer(folder)).toMatchObject({ code: 0, said: expect.stringContaining('480 rows, 1004 columns') });
  });
});

describe('references and keys', () => {
  test('references that mostly lead nowhere are refused', async () => {
    const folder = writeShop({ [orders]: orderText.replaceAll(',C', ',D') });
    const { code, said } = await fit(folder);
    expect(code).toBe(2);
    expect(said).toContain(
      'table orders: only 0 of 480 values of customer_id are keys of customers.customer_id; check the types',
    );
  });

  test('a few that lead nowhere are counted', async () => {
    const folder = writeShop({ [orders]: orderText.replace(',C1,', ',C999,') });
    const { code, said } = await fit(folder);
    expect(code).toBe(0);
    expect(said).toContain('table orders: 1 of 480 values of customer_id are not in customers.customer_id');
    expect((await check(folder)).out).toContain('dangling_reference: customer_id: 1 row: is no key of customers');
  });

  test('repeated keys are counted', async () => {
    const folder = writeShop({ [customers]: `${shopText(customers)}C1,trade,2023-01-01\nC2,trade,2023-01-01\n` });
    const { code, said } = await fit(folder);
    expect(code).toBe(0);
    expect(said).toContain('table customers: 2 rows repeat a key of customer_id; references lead to the first of them');
    expect((await check(folder)).out).toContain('duplicate_key: customer_id: 2 rows');
    const inferred = await infer(folder);
    const found = 'looks like the key, but 2 of 42 rows repeat a value (row 41 that of row 2, row 42 that of row 3)';
    expect(inferred.out).toContain(`# low: key customer_id? ${found}`);
    expect(inferred.said).toContain(`warning: table customers has no key: customer_id ${found}. Correct these rows`);
  });

  const withReference = (column: string, to: string) =>
    shopText(contract).replace(
      '      - name: segment\n',
      `      - name: ${column}\n        logicalType: string\n        relationships:\n          - to: ${to}\n      - name: segment\n`,
    );

  test('a table may refer to itself', async () => {
    const folder = writeShop({
      [contract]: withReference('referred_by', 'customers.customer_id'),
      [customers]: csv(
        'customer_id,segment,since,referred_by',
        customerRows.map((row, i) => [...row, `C${(i + 1) % customerRows.length}`]),
      ),
    });
    expect((await fit(folder)).code).toBe(0);
    expect((await check(folder)).code).toBe(0);
  });

  const inCircle = csv(
    'customer_id,segment,since,last_order',
    customerRows.map((row, i) => [...row, `O${440 + i}`]),
  );

  test('two tables may refer to each other', async () => {
    const folder = writeShop({ [contract]: withReference('last_order', 'orders.order_id'), [customers]: inCircle });
    expect((await fit(folder)).code).toBe(0);
    expect((await infer(folder)).code).toBe(0);
  });

  test('two tables cannot take their time from each other', async () => {
    const folder = writeShop({
      [contract]: withReference('last_order', 'orders.order_id')
        .replace('value: since', 'value: { reference: last_order }')
        .replace('value: ordered_at', 'value: { reference: customer_id }'),
      [customers]: inCircle,
    });
    const { code, said } = await fit(folder);
    expect(code).toBe(2);
    expect(said).toMatch(/line 8, schema\[0\]\.customProperties\.eventTime: .*leads back to customers/);
    expect(said).toMatch(/line \d+, schema\[1\]\.customProperties\.eventTime: .*leads back to orders/);
  });
});

describe('times', () => {
  test('dates in the future and before 1900 are named, column by column', async () => {
    const folder = writeShop({ [orders]: `${orderText}X1,C1,2093-05-05,1\nX2,C1,1820-05-05,1\nX3,C1,1855-05-05,1\n` });
    const { code, said } = await fit(folder);
    expect(code).toBe(0);
    expect(said).toMatch(
      /warning: table orders: 1 of 483 values of ordered_at lie in the future .*planned.* 2093-05-05/,
    );
    expect(said).toContain(
      'warning: table orders: 2 of 483 values of ordered_at lie before 1900, the earliest on 1820-05-05',
    );
  });

  test('a date known ahead may lie in the future', async () => {
    const planned = '        logicalType: date\n        customProperties: [{ property: planned, value: true }]\n';
    const folder = writeShop({
      [contract]: `${shopText(contract)}      - name: due_at\n${planned}`,
      [orders]: csv(
        'order_id,customer_id,ordered_at,amount,due_at',
        orderRows.map((row) => [...row, '2093-01-01']),
      ),
    });
    expect((await fit(folder)).said).not.toContain('lie in the future');
  });

  test.each(['9999-12-31', '2079-06-06'])('%s stands for no date: it is said so, planned or not', async (never) => {
    const due = (text: string) => ({
      [contract]: `${shopText(contract)}      - name: due_at\n        logicalType: date\n${text}`,
      [orders]: csv(
        'order_id,customer_id,ordered_at,amount,due_at',
        orderRows.map((row, i) => [...row, i % 2 ? never : '2024-01-01']),
      ),
    });
    const { said } = await fit(writeShop(due('')));
    expect(said).toMatch(new RegExp(`values of due_at seem to stand for no date .*missingValues.*not read.* ${never}`));
    expect(said).not.toContain('lie in the future');
    const planned = await fit(writeShop(due('        customProperties: [{ property: planned, value: true }]\n')));
    expect(planned.said).toMatch(/values of due_at seem to stand for no date .*read as a date/);
    const listed = await fit(
      writeShop(due(`        customProperties: [{ property: missingValues, value: ['${never}'] }]\n`)),
    );
    expect(listed.said).not.toContain('due_at');
  });

  test('a table without a time is named', async () => {
    const folder = writeShop({
      [contract]: shopText(contract).replace(/ {4}customProperties:\n.*\n.*ordered_at\n/, ''),
    });
    const { code, said } = await fit(folder);
    expect(code).toBe(0);
    expect(said).toContain('warning: without an event time, so taken as known at every moment: orders');
  });
});

describe('few rows', () => {
  test('a table with a header only is named', async () => {
    const folder = writeShop({ [orders]: `${orderText.split('\n')[0]}\n` });
    for (const outcome of [await fit(folder), await infer(folder)]) {
      expect(outcome.code).toBe(0);
      expect(outcome.said).toMatch(/warning: (table )?orders: no rows/);
    }
  });

  test('a table of one row is learned from', async () => {
    const folder = writeShop({ [orders]: orderText.split('\n').slice(0, 2).join('\n') });
    expect((await fit(folder)).code).toBe(0);
    expect((await infer(folder)).code).toBe(0);
    expect((await check(folder)).code).toBe(0);
  });
});

describe('contracts', () => {
  test('mistakes are told with line and path', async () => {
    const folder = writeShop({
      [contract]: shopText(contract)
        .replace('customers.customer_id', 'clients.id')
        .replace('Type: number', 'Type: numb'),
    });
    for (const { code, said } of [await fit(folder), await check(folder)]) {
      expect(code).toBe(2);
      expect(said).toContain('line 33, schema[1].properties[1].relationships[0].to: there is no table clients');
      expect(said).toContain('line 37, schema[1].properties[3].logicalType: numb is not one; known types: string');
    }
  });

  test('what is not YAML is refused by line, and not at length', async () => {
    const { code, said } = await fit(writeShop({ [contract]: shopText(contract).replace('schema:', 'schema: [') }));
    expect(code).toBe(2);
    expect(said).toMatch(/contract\.yaml is not a valid data contract: line 6, column 3/);
    expect(said.split('\n').length).toBeLessThan(25);
  });

  test('without one it is inferred for learning, and missed by check', async () => {
    const folder = writeShop({ [contract]: null });
    expect(await fit(folder)).toMatchObject({
      code: 0,
      said: expect.stringContaining('contract: inferred from the files'),
    });
    expect(await check(folder)).toMatchObject({
      code: 2,
      said: expect.stringMatching(/contract\.yaml cannot be read/),
    });
  });

  test('a table without a file, and a folder without tables, are refused', async () => {
    const without = await fit(writeShop({ [orders]: null }));
    expect(without).toMatchObject({
      code: 2,
      said: expect.stringContaining('table orders: no file orders.csv, .parquet or .jsonl in'),
    });
    const empty = await infer(writeShop({ [orders]: null, [customers]: null }));
    expect(empty).toMatchObject({ code: 2, said: expect.stringContaining('holds no table') });
    expect(await fit('/nowhere/at/all')).toMatchObject({ code: 2, said: expect.stringContaining('is not a folder') });
  });

  test('a proposal that cannot be written is refused', async () => {
    const folder = writeShop();
    const { code, said } = await lastro('contract', 'infer', folder, '--out', join(folder, 'none', 'contract.yaml'));
    expect(code).toBe(2);
    expect(said).toMatch(/none\/contract\.yaml cannot be opened/);
  });
});
