/** Spoilt tasks and label files, and options that cannot be, put through fit and eval. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Files, lastro, shopText, writeShop } from './shop.ts';

const task = 'tasks/returns/task.yaml';
const train = 'tasks/returns/train.csv';
const val = 'tasks/returns/val.csv';
const testFile = 'tasks/returns/test.csv';
const taskText = shopText(task);
const trainText = shopText(train);

const fit = (folder: string, ...more: string[]) =>
  lastro('fit', folder, '--task', 'returns', '--out', join(folder, 'version'), ...more);
const evaluate = (folder: string, ...more: string[]) => {
  const outputs = ['--out', join(folder, 'predictions.csv'), '--report', join(folder, 'report.json')];
  return lastro('eval', folder, '--task', 'returns', ...outputs, ...more);
};

describe('a task that cannot be asked is refused with file, line and field', () => {
  const field = (from: string, to: string): Files => ({ [task]: taskText.replace(from, to) });
  const target = (rest: string, anchors = '{every: 30d, from: 2023-03-01, until: 2023-10-01}'): Files => ({
    [task]: `entity: customers\nkey: customer_id\nkind: binary\ntarget: {${rest}}\nanchors: ${anchors}\n`,
  });
  const orders = 'table: orders, reference: customer_id';
  const cases: readonly (readonly [string, Files, RegExp])[] = [
    ['an unknown kind', field('binary', 'binery'), /line 5, kind: must be one of binary, regression/],
    ['a window in words', field('30d', 'soon'), /line 7, window: must be a number of days such as 30d, not "soon"/],
    ['a window of no days', field('30d', '0d'), /line 7, window: must be a number of days/],
    ['a window beyond all dates', field('30d', '99999999999999d'), /line 7, window: must be at most 36500 days, not/],
    [
      'something overdue beyond all dates',
      target(`${orders}, overdue: {due: ordered_at, paid: ordered_at, days: 1e12}`),
      /target\.overdue\.days: must be 0 to 36500 days, not 1000000000000/,
    ],
    ['no entity', field('entity: customers\n', ''), /line 1, entity: is missing/],
    ['no label', field('label: returns\n', ''), /line 1, label: is missing/],
    [
      'another table',
      field('customers', 'clients'),
      /entity clients is not a table of the contract \(customers, orders\)/,
    ],
    [
      'credit within no time',
      field('binary\nmetric: auroc\nwindow: 30d', 'credit'),
      /line 1, window: is missing: credit says/,
    ],
    ['an unknown metric', field('auroc', 'auc2'), /line 6, metric: must be one of auroc, .* for a binary task/],
    ['the metric of another kind', field('auroc', 'mae'), /line 6, metric: must be one of auroc, .* for a binary task/],
    ['no such day', field('window: 30d', 'data_until: 2010-13-45'), /line 7, data_until: must be a day such as/],
    ['broken YAML', field('kind: binary', 'kind: [binary'), /line 6, column 1: Flow sequence/],
    ['a list', { [task]: '- entity\n' }, /line 1: must be a map of fields/],
    ['nothing', { [task]: '' }, /kind: must be one of .*entity: is missing/],
    ['a hidden column that is not there', { [task]: `${taskText}hide: [orders.amont]\n` }, /hide names orders\.amont/],
    ['an ignored table that is not there', { [task]: `${taskText}ignore: [order]\n` }, /ignore names order,.*orders/],
    ['its entity ignored', { [task]: `${taskText}ignore: [customers]\n` }, /ignore names customers, .* to predict for/],
    [
      'a target table that is not there',
      target('table: sales, reference: customer_id'),
      /target table sales is not in/,
    ],
    ['a target by no reference', target('table: orders, reference: amount'), /amount is not a reference of orders/],
    ['a condition on no column', target(`${orders}, where: "total > 3"`), /total is not a column of orders/],
    [
      'a condition that is none',
      target(`${orders}, where: "amount about 3"`),
      /line 4, target\.where: column 8: expected =, !=, .*, found about/,
    ],
    [
      'numbers compared with text',
      target(`${orders}, where: "amount > lots"`),
      /orders\.amount with "lots"; it takes a number/,
    ],
    [
      'text compared with numbers',
      target(`${orders}, where: "order_id = 7"`),
      /orders\.order_id with 7; it takes a text in quotes/,
    ],
    ['a day compared with a number', target(`${orders}, where: "ordered_at > 7"`), /with 7; it takes a day such as/],
    [
      'a regression told to be binary',
      target(`${orders}, aggregate: count`),
      /line 3, kind: what is predicted makes a regression task, not a binary one/,
    ],
    [
      'a query cut short',
      { [task]: 'PREDICT exists(orders) WITHIN 30d FOR' },
      /line 1, column 38: expected the table to/,
    ],
    [
      'a query with a word misspelt',
      { [task]: 'PREDICT exists(orders)\n  WHITHIN 30d FOR customers' },
      /line 2, column 3: expected WITHIN, FOR, .*, found WHITHIN/,
    ],
    [
      'a query beside a kind',
      { [task]: 'query: PREDICT exists(orders) WITHIN 30d FOR customers\nkind: binary\n' },
      /line 2, kind: is said by the query/,
    ],
    [
      'anchors that end before they start',
      target(orders, '{every: 30d, from: 2024-03-01, until: 2023-10-01}'),
      /anchors\.until: lies before/,
    ],
    [
      'anchors without end',
      target(orders, '{every: 0.0001h, from: 2023-03-01, until: 2023-10-01}'),
      /anchors\.every: makes \d+ moments; at most 20000/,
    ],
    [
      'anchors after the data',
      target(orders, '{every: 30d, from: 2054-03-01, until: 2055-10-01}'),
      /no labels to learn from/,
    ],
    ['an event that always happens', target(orders), /all \d+ labels of prediction are 1; a model needs at least two/],
  ];
  test.each(cases)('%s', async (_name, files, message) => {
    const { code, said } = await fit(writeShop(files));
    expect(code).toBe(2);
    expect(said).toMatch(message);
  });

  test('one that is not there is refused with those that are', async () => {
    const folder = writeShop();
    const { code, said } = await lastro('fit', folder, '--task', 'churn', '--out', join(folder, 'version'));
    expect(code).toBe(2);
    expect(said).toMatch(/tasks\/churn\/task\.yaml does not exist; tasks here: returns/);
  });

  const misspelt: readonly (readonly [string, RegExp])[] = [
    ['stirct: true', /task\.yaml is not a task: line \d+, stirct: unknown field; did you mean strict\?/],
    ['hide_columns: [orders.amount]', /line \d+, hide_columns: unknown field; known here: query, entity, /],
    ['target: {table: orders, agregate: count}', /line \d+, target\.agregate: unknown field; did you mean aggregate\?/],
    ['delinquency: {rulle: 30 days at month 6}', /delinquency\.rulle: unknown field; did you mean rule\?/],
    ['target: {table: orders}\nanchors: {evry: 30d}', /line \d+, anchors\.evry: unknown field; did you mean every\?/],
  ];
  test.each(misspelt)('a misspelt field is refused with the word that was meant: %s', async (line, message) => {
    const { code, said } = await fit(writeShop({ [task]: `${taskText}${line}\n` }));
    expect(code).toBe(2);
    expect(said).toMatch(message);
  });
});

describe('label files', () => {
  const firstOfC1 = (label: string) => trainText.replace(/,C1,./, `,C1,${label}`);
  const cases: readonly (readonly [string, string, RegExp])[] = [
    [
      'without the key',
      trainText.replace('customer_id', 'client'),
      /train\.csv lacks the key column customer_id; it has date, client, returns/,
    ],
    ['without the date', trainText.replace('date', 'day'), /train\.csv lacks the time column date; it has day/],
    [
      'without the label',
      trainText.replace('returns', 'target'),
      /train\.csv lacks the label column returns; it has date, customer_id, target/,
    ],
    [
      'with a bad date',
      trainText.replace('2023-04-11,C1,', '11/04/2023,C1,'),
      /train\.csv, row 2, column date: expected a timestamp/,
    ],
    ['with a bad label', firstOfC1('maybe'), /train\.csv, row 2, column returns: expected 0 or 1, found "maybe"/],
    ['with a label of another kind', firstOfC1('2'), /row 2, column returns: expected 0 or 1, found "2"/],
    ['with an empty key', trainText.replace(',C1,', ',,'), /row 2, column customer_id: the value is missing/],
    ['with a row cut short', `${trainText}2023-04-11,C1\n`, /train\.csv, row 161: expected 3 fields, found 2/],
    [
      'of other keys',
      trainText.replaceAll(',C', ',D'),
      /only 0 of 160 values of customer_id are keys of customers\.customer_id/,
    ],
    ['with labels all alike', trainText.replace(/,1\n/g, ',0\n'), /all 160 labels of prediction are 0; a model needs/],
    ['with no labels', trainText.replace(/,[01]\n/g, ',\n'), /prediction has no labels to learn from/],
    ['with one row', trainText.split('\n').slice(0, 2).join('\n'), /all 1 labels of prediction are 1/],
    ['with no rows', `${trainText.split('\n')[0]}\n`, /has no rows to learn from/],
    ['that are empty', '', /train\.csv: the file is empty/],
  ];
  test.each(cases)('%s are refused', async (_name, text, message) => {
    const { code, said } = await fit(writeShop({ [train]: text, [val]: null }));
    expect(code).toBe(2);
    expect(said).toMatch(message);
  });

  const numeric = taskText.replace('binary', 'regression').replace('auroc', 'mae');
  test.each(['Infinity', ' ', '0x10', '1,5'])('the number %j is refused', async (label) => {
    const { code, said } = await fit(writeShop({ [task]: numeric, [train]: firstOfC1(`"${label}"`) }));
    expect(code).toBe(2);
    expect(said).toContain(`row 2, column returns: expected a number, found "${label}"`);
  });

  test('odd rows are counted and learned from', async () => {
    const odd = `2093-01-01,C1,0\n1850-01-01,C1,0\n2023-04-11,C2,1\n2023-04-11,C999,1\n2023-04-12,C1,\n`;
    const { code, said } = await fit(writeShop({ [train]: trainText + odd }));
    expect(code).toBe(0);
    for (const warning of [
      '1 of 165 rows have a date in the future',
      '1 of 165 rows have a date before 1900',
      '1 of 165 rows repeat customer_id and date of an earlier row',
      '1 of 165 keys are not in customers.customer_id',
      '1 of 165 rows have no returns and are not learned from',
    ])
      expect(said).toContain(`train.csv: ${warning}`);
  });

  test('two rows make a model that nobody vouches for', async () => {
    const { code, said } = await fit(
      writeShop({ [train]: `${trainText.split('\n').slice(0, 3).join('\n')}\n`, [val]: null }),
    );
    expect(code).toBe(0);
    expect(said).toContain('warning: prediction: too few rows to say how good the model is');
  });

  test('train.csv is needed, whatever else there is', async () => {
    const folder = writeShop({ [train]: null });
    for (const { code, said } of [await fit(folder), await evaluate(folder)]) {
      expect(code).toBe(2);
      expect(said).toContain('train.csv does not exist');
    }
  });

  test('validation rows all alike and an empty test file are named and reported', async () => {
    const alike = shopText(val).replace(/,1\n/g, ',0\n');
    const folder = writeShop({ [val]: alike, [testFile]: 'date,customer_id\n' });
    const { code, said } = await evaluate(folder, '--fit', 'train');
    expect(code).toBe(0);
    expect(said).toContain('warning: val.csv: all 80 labels are alike, so auroc on them says nothing');
    expect(said).toContain('warning: test.csv has no rows');
    expect(readFileSync(join(folder, 'predictions.csv'), 'utf8')).toBe('date,customer_id,prediction\n');
    const { warnings } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
    expect(warnings).toContain('test.csv has no rows');
  });
});

test('eval measures validation rows, the model and a plain one, and writes the rows of test.csv with predictions', async () => {
  const folder = writeShop();
  expect((await evaluate(folder)).code).toBe(0);
  const { validation, rows } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  expect(rows).toEqual({ train: 160, val: 80, test: 40 });
  expect(validation.rolling.measures.value).toBeGreaterThan(0.8);
  expect(validation.folds.plain_linear.mean).toBeGreaterThan(0.5);
  const answered = readFileSync(join(folder, 'predictions.csv'), 'utf8').trimEnd().split('\n');
  expect(answered.map((line) => line.slice(0, line.lastIndexOf(',')))).toEqual(
    shopText(testFile).trimEnd().split('\n'),
  );
});

test('labels that were not known yet when validation begins are said to flatter it', async () => {
  const overlap = 'labels of train.csv were not known yet at the first row of val.csv';
  expect((await evaluate(writeShop(), '--fit', 'train')).said).not.toContain(overlap);
  const { said } = await evaluate(writeShop({ [task]: taskText.replace('30d', '60d') }), '--fit', 'train');
  // Of four months, whose rows are a month apart, the last one's.
  expect(said).toContain(`warning: 40 of 160 ${overlap}`);
});

test('validation rows without labels tell of no layer', async () => {
  const unlabelled = shopText(val).replaceAll(/,[01]$/gm, ',');
  const folder = writeShop({ [val]: unlabelled });
  const { code, said } = await evaluate(folder, '--fit', 'train', '--layers');
  expect(code, said).toBe(0);
  const { validation } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  expect(validation.rolling).toEqual({ layers: [] });
});

describe('options', () => {
  test.each(['nonsense', '2023-13-01', '', '0'])('--data-until %j is refused', async (day) => {
    const { code, said } = await evaluate(writeShop(), '--data-until', day);
    expect(code).toBe(2);
    expect(said).toContain(`--data-until must be a day such as 2010-01-01, or none; not ${day}`);
  });

  test('--data-until before every label is refused, one in the future is named', async () => {
    const early = await evaluate(writeShop(), '--data-until', '1950-01-01');
    expect(early).toMatchObject({
      code: 2,
      said: expect.stringContaining('the data stop at 1950-01-01, and the first label is of 2023-04-11'),
    });
    const late = await evaluate(writeShop(), '--data-until', '2093-01-01', '--fit', 'train');
    expect(late).toMatchObject({ code: 0, said: expect.stringContaining('data_until 2093-01-01 lies in the future') });
  });

  test('what rfm evaluate cannot draw or evaluate by is refused', async () => {
    const folder = writeShop({ [task]: taskText.replace('binary\nmetric: auroc', 'regression\nmetric: mae') });
    for (const [options, message] of [
      [['--from', 'soon'], '--from soon is not a day, written YYYY-MM-DD'],
      [['--positives', '0.5'], '--positives is a share of yes and no, and task returns is about a number'],
    ] as const) {
      const { code, said } = await lastro('rfm', 'evaluate', folder, '--task', 'returns', ...options);
      expect(code).toBe(2);
      expect(said).toContain(message);
    }
  });

  test('rfm serve does one thing with a file, and opens nothing for two', async () => {
    const files = ['--in', 'rows.csv', '--out', 'answers.csv'];
    const both = ['--model', 'returns/production', '--encoder', 'rfm-1'];
    const { code, said } = await lastro('rfm', 'serve', 'nowhere', '--data', 'nowhere', ...files, ...both);
    expect(code).toBe(2);
    expect(said).toContain('--model scores the rows of a file and --encoder embeds them: give one of the two');
  });

  test('rfm serve looks at the name of its output before it opens anything', async () => {
    const files = ['--in', 'rows.csv', '--out', 'answers.xls'];
    const { code, said } = await lastro('rfm', 'serve', 'nowhere', '--data', 'nowhere', ...files);
    expect(code).toBe(2);
    expect(said).toContain('--out must end in .parquet, .csv or .jsonl: answers.xls');
  });

  test('a table that is none is refused with those there are', async () => {
    const folder = writeShop();
    const { code, said } = await lastro(
      'rfm',
      'train',
      folder,
      '--entity',
      'clients',
      '--out',
      join(folder, 'encoder'),
    );
    expect(code).toBe(2);
    expect(said).toContain('--entity clients is not a table of the contract; those are customers, orders');
  });

  test('outputs that cannot be written are refused before anything is read', async () => {
    const folder = writeShop({ 'a-file': 'x', 'version/old': 'x' });
    const at = (name: string) => join(folder, name);
    const learn = (out: string) => lastro('fit', folder, '--task', 'returns', '--out', at(out));
    const evaluate = (out: string, report: string) =>
      lastro('eval', folder, '--task', 'returns', '--out', at(out), '--report', at(report));
    const outcomes = [
      [await learn('version'), /--out .*version exists already; a version is never changed/],
      [await learn('a-file/version'), /--out .*a-file is not a folder/],
      [await evaluate('none/p.csv', 'r.json'), /--out .*there is no folder .*none; make it first/],
      [await evaluate('p.parquet', 'r.json'), /--out must end in \.csv/],
      [await evaluate('p.csv', 'tables'), /--report .*tables is a folder; name a file in it/],
    ] as const;
    for (const [{ code, said }, message] of outcomes) {
      expect(code).toBe(2);
      expect(said).toMatch(message);
      expect(said.split('\n')).toHaveLength(1);
    }
    expect(existsSync(at('p.csv'))).toBe(false);
  });
});
