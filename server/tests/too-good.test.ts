/** What fit and eval say of a model that is too good to be true, and that one which is merely good is left alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { draws } from './samples.ts';
import { csv, customerRows, day, type Files, lastro, shopText, writeShop } from './shop.ts';

const task = 'tasks/returns/task.yaml';
const contract = 'contract.yaml';
const months = { train: [0, 9], val: [9, 15] } as const;

/** Label files of more months than the shop's own, since leakage is not told from chance by a few rows. */
function labelFiles(labelOf: (customer: number, month: number) => number): Files {
  const rows = ([from, to]: readonly [number, number]) =>
    Array.from({ length: to - from }, (_, m) => from + m).flatMap((month) =>
      customerRows.map(([key], c) => [day(100 + 30 * month), key, labelOf(c, month)]),
    );
  return {
    'tasks/returns/train.csv': csv('date,customer_id,returns', rows(months.train)),
    'tasks/returns/val.csv': csv('date,customer_id,returns', rows(months.val)),
    'tasks/returns/test.csv': null,
  };
}

/** Adds a column of a type to a table of the shop's contract, as the last of it. */
const withColumns = (text: string, after: string, columns: readonly (readonly [string, string])[]) =>
  text.replace(
    after,
    `${after}${columns.map(([name, type]) => `      - name: ${name}\n        logicalType: ${type}\n`).join('')}`,
  );
const ofCustomers = '      - name: since\n        logicalType: date\n';
const ofOrders = '      - name: amount\n        logicalType: number\n';

const fit = (folder: string, name = 'version') =>
  lastro('fit', folder, '--task', 'returns', '--out', join(folder, name));
const evaluate = (folder: string, ...more: string[]) => {
  const outputs = ['--out', join(folder, 'predictions.csv'), '--report', join(folder, 'report.json')];
  return lastro('eval', folder, '--task', 'returns', ...outputs, ...more);
};
const reportOf = (folder: string, ...names: string[]) =>
  JSON.parse(readFileSync(join(folder, ...names, 'report.json'), 'utf8'));

/** Customers that return, by no rule that another column of theirs follows. */
const draw = draws(3);
const returning = customerRows.map(() => Number(draw.next() < 0.4));

/** Some customers always return, and a column of the customer says so. */
const told: Files = {
  [contract]: withColumns(shopText(contract), ofCustomers, [['status', 'string']]),
  'tables/customers.csv': csv(
    'customer_id,segment,since,status',
    customerRows.map((row, c) => [...row, returning[c] ? 'returned' : 'open']),
  ),
  ...labelFiles((c) => returning[c]),
};

test('eval stops where a column is all but the label, in the words of fit, and nothing is written', async () => {
  const folder = writeShop(told);
  const [fitted, evaluated] = [await fit(folder), await evaluate(folder)];
  expect(evaluated.code).toBe(2);
  // eval learns from train.csv alone, so the rows that show it are others.
  for (const { said } of [fitted, evaluated])
    expect(said).toMatch(
      /error: task returns: customers\.status tells the label for certain: nothing was learned\. .*AUROC 1\.000.*For example C\d+ as of .*\(hide: \[customers\.status\] in the task\).*\(trust: \[customers\.status\]\)$/m,
    );
  expect(evaluated.said).not.toContain('auroc');
  expect(() => reportOf(folder)).toThrow('ENOENT');
});

test('what only rows of val.csv show is not looked for in what is learned from train.csv', async () => {
  // The column is filled with the outcome of validation months alone, in which the customers that return are others.
  const folder = writeShop({
    ...told,
    ...labelFiles((c, month) => Number(month < months.val[0] ? (c * 7 + month) % 4 === 0 : returning[c])),
  });
  const { code, said } = await evaluate(folder, '--fit', 'train');
  expect(code, said).toBe(0);
  expect(reportOf(folder).leakage.filter(({ certain }: { certain: boolean }) => certain)).toEqual([]);
});

test('eval honours hide and trust', async () => {
  const hidden = writeShop({ ...told, [task]: `${shopText(task)}hide: [customers.status]\n` });
  expect((await evaluate(hidden, '--fit', 'train')).code).toBe(0);
  expect(reportOf(hidden).leakage.map(({ at }: { at: string }) => at)).not.toContain('customers.status');
  const trusted = writeShop({ ...told, [task]: `${shopText(task)}trust: [customers.status]\n` });
  expect((await evaluate(trusted, '--fit', 'train')).said).toMatch(/auroc 1\.0000/);
});

/**
 * An order on the day of each label, written at the outcome: neither its points nor its bonus tell the label, which is
 * their sum.
 */
function written(): Files {
  const draw = draws(5);
  const drawn = Array.from({ length: months.val[1] }, () =>
    customerRows.map(() => [Math.floor(draw.between(0, 4)), Math.floor(draw.between(0, 4))] as const),
  );
  const orders = drawn.flatMap((month, m) =>
    month.map(([points, bonus], c) => [`O${m}-${c}`, `C${c}`, day(100 + 30 * m - 1), 10 + c, points, bonus]),
  );
  return {
    [contract]: withColumns(shopText(contract), ofOrders, [
      ['points', 'integer'],
      ['bonus', 'integer'],
    ]),
    'tables/orders.csv': csv('order_id,customer_id,ordered_at,amount,points,bonus', orders),
    ...labelFiles((c, month) => Number(drawn[month][c][0] + drawn[month][c][1] >= 3)),
  };
}

test('a model that is implausibly good is told by fit and eval, with what carries it and what to do', async () => {
  const folder = writeShop(written());
  const fitted = await fit(folder);
  expect(fitted.code, fitted.said).toBe(0);
  const alarm =
    /warning: prediction: AUROC (0\.99\d\d|1\.0000) on \d+ rows is implausibly good, where 0\.[56]\d+ takes no learning: .*It rests on .*/;
  const [said] = alarm.exec(fitted.said) ?? [];
  expect(said).toMatch(/orders\.points \(\d\d % of the gain; most of it: [^)]*points/);
  expect(said).toMatch(/trust: \[orders\.(points, orders\.bonus|bonus, orders\.points)\]/);
  const { warnings } = reportOf(folder, 'version');
  const warning = warnings.find(({ code }: { code: string }) => code === 'implausibly_good');
  expect(warning).toMatchObject({ output: 'prediction', message: said!.replace('warning: ', '') });
  expect(warning.carriers.map(({ at }: { at: string }) => at).sort()).toEqual(['orders.bonus', 'orders.points']);
  expect(readFileSync(join(folder, 'version', 'model.md'), 'utf8')).toMatch(
    /^# returns\n\nPredicts .*\n\n(> \*\*Warning:\*\* .*\n\n)*> \*\*Warning:\*\* prediction: AUROC .* is implausibly good/,
  );
  const evaluated = await evaluate(folder, '--fit', 'train');
  expect(evaluated.said).toMatch(alarm);
  expect(reportOf(folder).warnings.join('\n')).toMatch(/implausibly good/);
});

test('the alarm goes where all that carries the model is trusted, and not where a part of it is', async () => {
  const trusting = async (...columns: string[]) => {
    const folder = writeShop({ ...written(), [task]: `${shopText(task)}trust: [${columns.join(', ')}]\n` });
    return (await evaluate(folder, '--fit', 'train')).said;
  };
  expect(await trusting('orders.points')).toContain('implausibly good');
  const accepted = await trusting('orders.points', 'orders.bonus');
  expect(accepted).toMatch(/auroc (0\.99\d\d|1\.0000)/);
  expect(accepted).not.toContain('implausibly good');
});

test('outcomes that hardly change are predicted well without an alarm, beside naive numbers of the same rows', async () => {
  // A customer's outcome is its last one, which is known when its window has closed.
  const folder = writeShop(labelFiles((c) => returning[c]));
  const { code, said } = await fit(folder);
  expect(code, said).toBe(0);
  const { outputs, warnings } = reportOf(folder, 'version');
  const [{ naive, out_of_fold }] = outputs;
  expect(out_of_fold.value).toBeGreaterThan(0.99);
  expect(naive).toMatchObject({ own_mean: 1, own_last: 1 });
  expect(said).toContain('auroc without learning: 0.5 the same for all, 1 the mean of own earlier labels');
  expect(warnings.map((warning: { code: string }) => warning.code)).toContain('no_better_than_naive');
  expect(warnings.map((warning: { code: string }) => warning.code)).not.toContain('implausibly_good');
});

test('what a model reads is listed with shares that sum to 1, coverage and lineage, most important first', async () => {
  const folder = writeShop();
  const { code, said } = await fit(folder);
  expect(code, said).toBe(0);
  const { features } = reportOf(folder, 'version');
  const shares: number[] = features.map(({ importance }: { importance: number }) => importance);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 3);
  expect(shares).toEqual(shares.toSorted((a, b) => b - a));
  // Every third customer orders small, and that is what tells them.
  expect(features[0]).toMatchObject({
    code: 'orders_by_customer_amount',
    coverage: 1,
    description: expect.stringContaining('amount'),
    protected: false,
    path: ['orders.customer_id'],
    table: 'orders',
    columns: ['orders.amount'],
  });
  const evaluated = await evaluate(folder, '--fit', 'train');
  expect(evaluated.code, evaluated.said).toBe(0);
  const { model } = reportOf(folder);
  expect(model.features[0]).toMatchObject({ columns: ['orders.amount'], path: ['orders.customer_id'] });
  const outcome = model.features.find(({ table }: { table: string }) => table === '@labels');
  // A customer's first label knows of no earlier one.
  expect(outcome.coverage).toBeLessThan(1);
});
