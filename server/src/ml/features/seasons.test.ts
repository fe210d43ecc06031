/** What is read of the same weeks of earlier years: of events, and of outcomes. */
import { expect, test } from 'vitest';
import { at, day, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { anchorsOf, readableUntilAt, withLabels } from './anchors.ts';
import { evaluate } from './evaluate.ts';
import { allTable, type Feature, type Focus, labelsTable, type Read, type Span } from './feature.ts';
import { openGraph } from './graph.ts';
import { proposeFeatures } from './proposals/propose-features.ts';

const contract = sampleContract([
  { name: 'shop', key: 'shop_id', columns: { shop_id: 'integer' } },
  {
    name: 'sale',
    key: 'sale_id',
    time: 'sold',
    references: { shop_id: 'shop' },
    columns: { sale_id: 'integer', shop_id: 'integer', sold: 'date', amount: 'number' },
  },
]);
const task = parseTask('entity: shop\nkey: shop_id\nlabel: y\nkind: binary\nwindow: 30d\n', 'sells', 'task.yaml');
const moment = at('2024-06-01');
const aYearAgo = { season: 30, since: 364, ago: 364 };
const sales = { table: 'sale', via: ['shop_id'] };
const amount = { kind: 'column', path: [], column: 'amount' } as const;
const label = { kind: 'column', path: [], column: 'label' } as const;

/** Sales of one shop, each so many days from the anchor and of an amount. */
function tablesOf(sold: readonly (readonly [days: number, amount: number])[]) {
  const sale = sold.map(([days, paid], sale_id) => ({
    ...{ sale_id, shop_id: 1, sold: moment + days * day, amount: paid },
  }));
  return sampleTables(contract, { shop: [{ shop_id: 1 }], sale });
}

function readOf(sold: Parameters<typeof tablesOf>[0], reads: readonly Read[], readableUntil = moment): number[] {
  const tables = tablesOf(sold);
  const features = reads.map((read): Feature => ({ focus: { kind: 'root' }, read }));
  const row = { rows: Int32Array.of(0), own: Int32Array.of(-1), at: Float64Array.of(moment) };
  const anchors = { table: tables.get('shop')!, fresh: false, ownTable: 'shop', ...row };
  return [
    ...evaluate(openGraph(tables), features, { ...anchors, readableUntil: Float64Array.of(readableUntil) }).values,
  ];
}

const reads: readonly Read[] = [
  { kind: 'count', events: sales, span: aYearAgo },
  { kind: 'rate', events: sales, span: aYearAgo },
  { kind: 'number', events: sales, signal: amount, span: aYearAgo, aggregate: 'sum' },
  { kind: 'number', events: sales, signal: amount, span: aYearAgo, aggregate: 'swing' },
];

test('the same weeks of the year before begin 52 weeks before the anchor, and are held against their year', () => {
  // The season has the days from -364 to -335; the year has those from -364 to -1.
  const sold = [
    [-400, 100],
    [-365, 100],
    [-364, 10],
    [-335, 20],
    [-334, 30],
    [-1, 40],
  ] as const;
  expect(readOf(sold, reads)).toEqual([2, Math.fround(2 / 30 / (4 / 364)), 30, 15 - 25]);
});

test('nothing after the anchor moves a season, and one that is not all readable is not read', () => {
  const sold = [
    [-400, 100],
    [-350, 10],
    [-100, 30],
  ] as const;
  expect(readOf([...sold, [0, 1e6], [14, 1e6]], reads)).toEqual(readOf(sold, reads));
  // Data that stop 340 days before the anchor hold 24 days of 30.
  expect(readOf(sold, reads, moment - 340 * day)).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  expect(readOf(sold, reads.slice(0, 1), moment - 334 * day)).toEqual([1]);
});

test('of who came later there is no season', () => {
  expect(readOf([[-300, 10]], reads)).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  expect(readOf([[-350, 10]], reads)).toEqual([1, Number.NaN, 10, 0]);
});

/** Labels of anchors every ten days for three years up to the last; 1 in one month of the year, and at the last. */
function examplesOf(window: number) {
  const count = 110;
  const moments = Float64Array.from({ length: count }, (_, k) => moment - (count - 1 - k) * 10 * day);
  return {
    rows: new Int32Array(count),
    at: moments,
    labels: Float64Array.from(moments, (one) => Number(one === moment || new Date(one / 1000).getUTCMonth() === 4)),
    closes: moments.map((one) => one + window * day),
  };
}

test('outcomes of a season are those of the anchors around it, once their windows have closed', () => {
  const [everybody, root]: Focus[] = [{ kind: 'all' }, { kind: 'root' }];
  const read = (via: string, span: Span): Read => ({
    ...{ kind: 'number', events: { table: labelsTable, via: [via] }, signal: label, span, aggregate: 'mean' },
  });
  const told = (window: number, span: Span, change = (labels: Float64Array) => labels) => {
    const examples = examplesOf(window);
    const changed = { ...examples, labels: change(examples.labels.slice()) };
    const objective = { kind: 'binary', metric: 'auroc', classes: [] } as const;
    const graph = withLabels({ ...task, windowDays: window }, tablesOf([]), changed, false, objective);
    const anchors = anchorsOf(task, graph.tables, changed, false, readableUntilAt(task, Number.POSITIVE_INFINITY));
    const features = [
      { focus: everybody, read: read(allTable, span) },
      { focus: root, read: read('entity', span) },
    ];
    const { values, rows } = evaluate(graph, features, anchors);
    return [values[rows - 1], values[2 * rows - 1]];
  };
  // Anchors within fifteen days of 364 days before are those of 28 May and of 7 and 17 June.
  const around = { season: 30, since: 364 - 30 + 15, ago: 364 };
  const mean = Math.fround(1 / 3);
  expect(told(30, around)).toEqual([mean, mean]);
  // Labels whose windows are open at the anchor change nothing.
  const open = (labels: Float64Array) => labels.map((one, k) => (labels.length - 1 - k < 3 ? 1 - one : one));
  expect(told(30, around, open)).toEqual([mean, mean]);
  // Where windows of these weeks are still open, no outcome of them is read.
  expect(told(355, { season: 30, since: 364 - 355 + 15, ago: 364 })).toEqual([Number.NaN, Number.NaN]);
});

test('seasons are proposed where the table goes back that far, for many rows', () => {
  const propose = (days: number) => {
    const tables = tablesOf(Array.from({ length: days / 5 }, (_, k) => [-5 * k - 1, 10 + (k % 7)]));
    const rows = new Int32Array(20);
    const moments = Float64Array.from(rows, (_, k) => moment - 5 * k * day);
    const anchors = { table: tables.get('shop')!, fresh: false, rows, own: rows.map(() => -1), ownTable: 'shop' };
    const sample = { ...anchors, at: moments, readableUntil: moments };
    const { features } = proposeFeatures(openGraph(tables), task, sample, moment);
    const ago = features.flatMap(({ read }) => ('span' in read && 'season' in read.span ? [read.span.ago] : []));
    return [...new Set(ago)];
  };
  expect(propose(350)).toEqual([]);
  expect(propose(600)).toEqual([364]);
  expect(propose(1_000)).toEqual([364, 728]);
});
