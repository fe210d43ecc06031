/** Compares labels and anchors with a naive reading of the rows, on random data. */
import { describe, expect, test } from 'vitest';
import { lendingContract, lendingData, lendingQueries, lendingUntil } from '../../../tests/lending.ts';
import { at, type Data, day, draws, type Row, sampleContract, sampleTables } from '../../../tests/samples.ts';
import type { Tables } from '../graph/tables.ts';
import { labelAnchors, layOutExamples } from './layout.ts';
import { parseTask } from './parse-task.ts';

const contract = sampleContract([
  {
    name: 'customer',
    key: 'customer_id',
    time: 'joined',
    columns: {
      customer_id: 'integer',
      joined: 'date',
      segment: 'string',
      left_on: 'date',
      grade: { type: 'string', knownFrom: 'left_on' },
    },
  },
  {
    name: 'invoice',
    key: 'invoice_id',
    time: 'issued',
    references: { customer_id: 'customer' },
    columns: {
      invoice_id: 'integer',
      customer_id: 'integer',
      issued: 'timestamp',
      amount: 'number',
      goods: 'string',
      paid_on: 'date',
      days_late: { type: 'number', knownFrom: 'paid_on' },
    },
  },
]);

const start = at('2021-01-01');
const end = at('2021-12-31');
const customers = 25;

function makeData(seed: number): Data {
  const draw = draws(seed);
  return {
    customer: Array.from({ length: customers }, (_, c) => ({
      customer_id: c,
      joined: start + draw.between(0, 200) * day,
      segment: draw.maybe(0.2, draw.pick(['retail', 'trade'])),
      left_on: draw.maybe(0.5, start + draw.between(100, 300) * day),
      grade: draw.pick(['a', 'b']),
    })),
    invoice: Array.from({ length: 400 }, (_, invoice_id) => {
      const issued = start + Math.floor(draw.next() * (end - start));
      const isPaid = draw.next() < 0.7;
      const paid_on = issued - (issued % day) + draw.between(1, 90) * day;
      return {
        invoice_id,
        customer_id: draw.between(0, customers - 1),
        issued,
        amount: draw.maybe(0.1, draw.between(1, 100)),
        goods: draw.maybe(0.1, draw.pick(['food', 'fuel', 'tools'])),
        paid_on: isPaid ? paid_on : null,
        days_late: isPaid ? draw.between(-10, 60) : null,
      };
    }),
  };
}

type Label = { readonly customer: number; readonly at: number; readonly labels: readonly (number | string)[] };

/** What a query lays out, one entry per anchor, with a label per horizon. */
function laidOut(query: string, tables: Tables, now?: number): Label[] {
  const { examples, classes } = layOutExamples(parseTask(`PREDICT ${query}`, 'task', 'definition'), tables, now);
  const ids = tables.get('customer')!.columns.get('customer_id') as { values: Float64Array };
  return Array.from(examples[0].rows, (row, i) => ({
    customer: ids.values[row],
    at: examples[0].at[i],
    labels: examples.map(({ labels }) => (classes.length > 0 ? classes[labels[i]] : labels[i])),
  }));
}

/** An event on an invoice, computed naively: the moment at which everything the question needs of it was known. */
type TargetEvent = { readonly date: number; readonly row: Row };

/** `known`: columns that become known when the invoice is paid. */
function targetEvents(data: Data, customer: number, isMeant: (row: Row) => boolean, known = false): TargetEvent[] {
  return data
    .invoice!.filter((row) => row.customer_id === customer && isMeant(row))
    .flatMap((row) => {
      const paid = row.paid_on === null ? null : Number(row.paid_on) + day - 1;
      if (known && paid === null) return [];
      return [{ row, date: known ? Math.max(Number(row.issued), paid!) : Number(row.issued) }];
    })
    .sort((a, b) => a.date - b.date);
}

const endOfDays = (data: Data) =>
  Math.max(...data.invoice!.map(({ issued }) => Number(issued)), ...data.customer!.map(({ joined }) => Number(joined)));

/** The same, computed naively: anchors every 20 days for all who had joined, with the labels of closed windows. */
function byHand(
  data: Data,
  horizons: readonly number[],
  isMeant: (row: Row) => boolean,
  known: boolean,
  say: (inside: readonly TargetEvent[], at: number, window: number) => number | string | null,
  isAsked: (customer: Row, at: number) => boolean = () => true,
): Label[] {
  const found: Label[] = [];
  const last = endOfDays(data);
  for (let moment = at('2021-03-01'); moment <= at('2021-12-01'); moment += 20 * day)
    for (const customer of data.customer!) {
      if (Number(customer.joined) + day - 1 > moment || !isAsked(customer, moment)) continue;
      const own = targetEvents(data, Number(customer.customer_id), isMeant, known);
      const labels = horizons.map((days) => {
        const window = days * day;
        if (moment + window > last) return Number.NaN;
        return (
          say(
            own.filter(({ date }) => date > moment && date <= moment + window),
            moment,
            window,
          ) ?? Number.NaN
        );
      });
      if (labels.every((label) => Number.isNaN(label))) continue;
      found.push({ customer: Number(customer.customer_id), at: moment, labels });
    }
  return found;
}

const every = 'EVERY 20d FROM 2021-03-01 UNTIL 2021-12-01';
const total = (inside: readonly TargetEvent[]) => inside.reduce((sum, { row }) => sum + Number(row.amount ?? 0), 0);
const all = () => true;

describe.each([1, 2, 3])('labels are what a hand counts (data %i):', (seed) => {
  const data = makeData(seed);
  const tables = sampleTables(contract, data);

  test('whether any comes, for several horizons', () => {
    expect(laidOut(`exists(invoice) WITHIN 5d, 30d, 90d FOR customer ${every}`, tables)).toEqual(
      byHand(data, [5, 30, 90], all, false, (inside) => Number(inside.length > 0)),
    );
  });

  test('how many meet a condition, which is known when the last part of it is', () => {
    const query = `count(invoice WHERE days_late > 30 AND amount > 20 OR goods = 'fuel' AND days_late <= 0) WITHIN 30d FOR customer ${every}`;
    const isMeant = (row: Row) =>
      row.days_late !== null &&
      ((Number(row.days_late) > 30 && row.amount !== null && Number(row.amount) > 20) ||
        (row.goods === 'fuel' && Number(row.days_late) <= 0));
    expect(laidOut(query, tables)).toEqual(byHand(data, [30], isMeant, true, (inside) => inside.length));
  });

  test('the sum of a column, rows without it left out', () => {
    const query = `sum(invoice.amount WHERE goods IN ('food', 'tools')) WITHIN 10d, 40d FOR customer ${every}`;
    const isMeant = (row: Row) => row.amount !== null && (row.goods === 'food' || row.goods === 'tools');
    expect(laidOut(query, tables)).toEqual(byHand(data, [10, 40], isMeant, false, total));
  });

  test('a comparison of a count or a sum', () => {
    expect(laidOut(`NOT exists(invoice) WITHIN 30d FOR customer ${every}`, tables)).toEqual(
      byHand(data, [30], all, false, (inside) => Number(inside.length === 0)),
    );
    expect(laidOut(`sum(invoice.amount) >= 90 WITHIN 30d FOR customer ${every}`, tables)).toEqual(
      byHand(
        data,
        [30],
        (row) => row.amount !== null,
        false,
        (inside) => Number(total(inside) >= 90),
      ),
    );
  });

  test('the days until the first, or the whole window', () => {
    const isMeant = (row: Row) => row.goods !== null && row.goods !== 'food';
    expect(laidOut(`first(invoice WHERE goods != 'food') WITHIN 7d, 60d FOR customer ${every}`, tables)).toEqual(
      byHand(
        data,
        [7, 60],
        isMeant,
        false,
        ([first], moment, window) => ((first?.date ?? moment + window) - moment) / day,
      ),
    );
  });

  test('the next category, and nothing where none comes', () => {
    const query = `next(invoice.goods WHERE amount IS NOT NULL) WITHIN 25d FOR customer ${every}`;
    const isMeant = (row: Row) => row.goods !== null && row.amount !== null;
    expect(laidOut(query, tables)).toEqual(
      byHand(data, [25], isMeant, false, ([first]) => (first ? String(first.row.goods) : null)),
    );
  });

  test('what falls due and is not paid in time', () => {
    const query = `exists(invoice OVERDUE 10d (issued, paid_on)) WITHIN 30d FOR customer ${every}`;
    const last = endOfDays(data);
    const label = ({ customer, at: moment }: { customer: number; at: number }) =>
      data.invoice!.some((row) => {
        const date = Number(row.issued) + 10 * day + day - 1;
        const isPaid = row.paid_on !== null && Number(row.paid_on) + day - 1 <= date;
        return row.customer_id === customer && !isPaid && date > moment && date <= moment + 30 * day;
      });
    const labels = laidOut(query, tables);
    expect(labels.map((one) => one.labels[0])).toEqual(labels.map((one) => Number(label(one))));
    expect(labels.every((one) => one.at + 30 * day <= last)).toBe(true);
    expect(new Set(labels.map((one) => one.labels[0]))).toEqual(new Set([0, 1]));
  });

  test('of those who belong, by what was known of them then', () => {
    const query = `exists(invoice) WITHIN 30d FOR customer WHERE segment = 'retail' AND NOT grade = 'a' AND count(invoice WHERE days_late > 0 IN LAST 90d) <= 2 ${every}`;
    expect(laidOut(query.replace('NOT grade', 'grade'), tables).length).toBeGreaterThan(0);
    const isAsked = (customer: Row, moment: number) => {
      // A value not known yet is no grade: neither a nor any other.
      if (customer.segment !== 'retail' || customer.left_on === null || Number(customer.left_on) + day - 1 > moment)
        return false;
      const late = data.invoice!.filter(
        (row) =>
          row.customer_id === customer.customer_id &&
          Number(row.issued) <= moment &&
          Number(row.issued) > moment - 90 * day &&
          row.paid_on !== null &&
          Number(row.paid_on) + day - 1 <= moment &&
          Number(row.days_late) > 0,
      );
      return customer.grade === 'b' && late.length <= 2;
    };
    expect(laidOut(query, tables)).toEqual(
      byHand(data, [30], all, false, (inside) => Number(inside.length > 0), isAsked),
    );
  });
});

describe('anchors', () => {
  const data = makeData(4);
  const tables = sampleTables(contract, data);
  const moments = (query: string, now?: number) =>
    [...new Set(laidOut(query, tables, now).map((one) => one.at))].sort((a, b) => a - b);

  test('lie the shortest horizon apart, the last of them just closing, where nothing is said of them', () => {
    const found = moments('exists(invoice) WITHIN 15d, 60d FOR customer');
    const last = endOfDays(data);
    expect(found.at(-1)! + 15 * day).toBeLessThanOrEqual(last);
    expect(found.at(-1)! + 16 * day).toBeGreaterThan(last);
    expect(new Set(found.slice(1).map((moment, k) => moment - found[k]))).toEqual(new Set([15 * day]));
    const first = Math.min(...data.invoice!.map(({ issued }) => Number(issued)));
    expect(found[0] - first).toBeGreaterThan(14 * day);
    expect(found[0] - first).toBeLessThan(31 * day);
  });

  test('end by now, though rows are dated later', () => {
    const now = at('2021-09-15');
    const found = moments('exists(invoice) WITHIN 15d FOR customer', now);
    expect(found.at(-1)! + 15 * day).toBeLessThanOrEqual(now);
    expect(found.at(-1)! + 17 * day).toBeGreaterThan(now);
  });

  test('once are the day on which each entity came', () => {
    const labels = laidOut('exists(invoice) WITHIN 30d FOR customer ONCE', tables);
    expect(labels.map((one) => one.at)).toEqual(labels.map((one) => data.customer![one.customer].joined));
    expect(labels).toHaveLength(customers);
    const later = laidOut('exists(invoice) WITHIN 30d FOR customer ONCE FROM 2021-04-01 UNTIL 2021-05-01', tables);
    expect(later.every((one) => one.at >= at('2021-04-01') && one.at <= at('2021-05-01'))).toBe(true);
    expect(later.length).toBe(labels.filter((one) => one.at >= at('2021-04-01') && one.at <= at('2021-05-01')).length);
  });

  test('that leave no label are told with what the data tell of', () => {
    expect(() =>
      laidOut('exists(invoice) WITHIN 30d FOR customer EVERY 30d FROM 2031-01-01 UNTIL 2031-06-01', tables),
    ).toThrow(
      /has no labels to learn from: the newest row is of 2021-12-\d\d, and no window of 30d after an anchor, from 2031-01-01 on/,
    );
    expect(() => laidOut("exists(invoice) WITHIN 30d FOR customer WHERE segment = 'nobody'", tables)).toThrow(
      /nobody is asked about at any anchor/,
    );
  });
});

test('too many categories are no classes', () => {
  const data = makeData(5);
  const many = { ...data, invoice: data.invoice!.map((row, k) => ({ ...row, goods: `g${k % 60}` })) };
  expect(() => laidOut('next(invoice.goods) WITHIN 30d FOR customer', sampleTables(contract, many))).toThrow(
    /invoice has 5\d categories to predict; at most 50/,
  );
});

test('what changes without a date is no ground for a label', () => {
  const changing = {
    ...contract,
    tables: contract.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => ({ ...column, mutable: column.name === 'amount' })),
    })),
  };
  const tables = sampleTables(changing, makeData(6));
  expect(() => laidOut('exists(invoice WHERE amount > 3) WITHIN 30d FOR customer', tables)).toThrow(
    'invoice.amount changes after its row came, and neither known_from nor kept versions say when',
  );
});

test('of rows sent again, a value counts from the version that brought it', () => {
  const versioned = sampleContract([
    { name: 'customer', key: 'customer_id', time: 'joined', columns: { customer_id: 'integer', joined: 'date' } },
    {
      name: 'invoice',
      key: 'invoice_id',
      time: 'issued',
      knownAt: 'sent',
      references: { customer_id: 'customer' },
      columns: {
        invoice_id: 'integer',
        customer_id: 'integer',
        issued: 'timestamp',
        state: { type: 'string', mutable: true },
        sent: 'timestamp',
      },
    },
  ]);
  const version = (invoice_id: number, state: string, sent: number | null) => ({
    ...{ invoice_id, customer_id: 0, issued: start + 10 * day, state },
    sent: sent === null ? null : start + sent * day,
  });
  const invoice = [
    // Bad from day 50 on; sent again on day 70 without a change.
    ...[version(1, 'open', null), version(1, 'bad', 50), version(1, 'bad', 70)],
    // Was bad for a while. The last version tells what happened.
    ...[version(2, 'bad', null), version(2, 'fine', 55)],
    // Sets the end of the data.
    { ...version(3, 'open', null), customer_id: null, issued: start + 120 * day },
  ];
  const tables = sampleTables(versioned, { customer: [{ customer_id: 0, joined: start - day }], invoice });
  const labels = (what: string) =>
    laidOut(`${what} WITHIN 20d FOR customer EVERY 10d FROM 2021-01-06 UNTIL 2021-03-07`, tables).map(
      (one) => one.labels[0],
    );
  // Anchors on days 5, 15, 25, … 65.
  expect(labels("count(invoice WHERE state = 'bad')")).toEqual([0, 0, 0, 1, 1, 0, 0]);
  expect(labels("count(invoice WHERE state = 'fine')")).toEqual([0, 0, 0, 1, 1, 0, 0]);
  expect(labels('count(invoice)')).toEqual([2, 0, 0, 0, 0, 0, 0]);
});

/** What came after the close of a window must change neither its label nor who is asked about. */
describe.each([
  'exists(invoice WHERE days_late > 10) WITHIN 30d',
  'count(invoice WHERE paid_on IS NULL) WITHIN 30d',
  'sum(invoice.days_late) WITHIN 30d',
  'first(invoice WHERE days_late > 10) WITHIN 30d',
  'next(invoice.goods) WITHIN 30d',
  'exists(invoice OVERDUE 10d (issued, paid_on)) WITHIN 30d',
])('%s', (what) => {
  test('is settled when its window closes', () => {
    const data = makeData(7);
    const cut = at('2021-08-01');
    const rest = `FOR customer WHERE count(invoice WHERE days_late > 0) >= 1 EVERY 10d FROM 2021-03-01 UNTIL 2021-12-01`;
    const closed = (labels: readonly Label[]) => labels.filter((one) => one.at + 30 * day <= cut);
    const before = closed(laidOut(`${what} ${rest}`, sampleTables(contract, data)));
    // The tables as they stood at the cut, without later rows and later payments.
    const past: Data = {
      customer: data.customer!.map((row) => ({ ...row, left_on: Number(row.left_on) > cut ? null : row.left_on! })),
      invoice: [
        ...data
          .invoice!.filter((row) => Number(row.issued) <= cut)
          .map((row) =>
            row.paid_on !== null && Number(row.paid_on) + day - 1 > cut
              ? { ...row, paid_on: null, days_late: null }
              : row,
          ),
        // This row only sets the end of the data.
        {
          invoice_id: 9_999,
          customer_id: null,
          issued: cut,
          amount: null,
          goods: null,
          paid_on: null,
          days_late: null,
        },
      ],
    };
    const then = laidOut(`${what} ${rest}`, sampleTables(contract, past));
    expect(then).toEqual(before);
    expect(then.length).toBeGreaterThan(50);
  });
});

describe('given anchors', () => {
  const tables = sampleTables(lendingContract, lendingData());
  test.each(Object.entries(lendingQueries))('%s: are labelled as those that are laid out', (_, query) => {
    const task = parseTask(query, 'task', 'definition');
    const { examples, classes } = layOutExamples(task, tables);
    const named = ({ labels }: { labels: Float64Array }, names: readonly string[]) =>
      Array.from(labels, (label) => (names.length > 0 ? names[label] : label));
    // One more: a row that the tables do not have, of which nothing is said.
    const [{ rows, at: moments }] = examples;
    const asked = { rows: Int32Array.from([...rows, -1]), at: Float64Array.from([...moments, moments[0]]) };
    const given = labelAnchors(task, tables, asked);
    for (const [o, laid] of examples.entries()) {
      const labels = named(given.examples[o], given.classes);
      expect(labels.slice(0, -1)).toEqual(named(laid, classes));
      expect(given.examples[o].labels.at(-1)).toBeNaN();
    }
  });

  test('have no label whose window ends after the data', () => {
    const task = parseTask(lendingQueries.leaves, 'task', 'definition');
    const { rows } = layOutExamples(task, tables).examples[0];
    const late = new Float64Array(rows.length).fill(lendingUntil - 29 * day);
    const { examples, end } = labelAnchors(task, tables, { rows, at: late });
    expect(examples[0].labels.every(Number.isNaN)).toBe(true);
    expect(examples[0].closes.every((closes) => closes > end)).toBe(true);
  });
});

describe('rows that end before the data do', () => {
  const task = parseTask('PREDICT exists(invoice) WITHIN 30d FOR customer', 'task', 'definition');
  /** An invoice every `step` days until the end of June, and a customer who joins at the end of the year. */
  const tablesOf = (step: number, joined = end) =>
    sampleTables(contract, {
      customer: [
        { customer_id: 0, joined: start },
        { customer_id: 1, joined },
      ],
      invoice: Array.from({ length: Math.ceil(180 / step) }, (_, invoice_id) => ({
        invoice_id,
        customer_id: 0,
        issued: start + invoice_id * step * day,
      })),
    });
  const labelsAt = (tables: Tables, days: readonly number[]) => {
    const anchors = { rows: new Int32Array(days.length), at: Float64Array.from(days, (n) => start + n * day) };
    return [...labelAnchors(task, tables, anchors).examples[0].labels];
  };

  test('close the windows of labels, with a warning, where they were never silent for so long', () => {
    const tables = tablesOf(2);
    // The last one is of day 178.
    expect(labelsAt(tables, [100, 148, 149, 200])).toEqual([1, 1, Number.NaN, Number.NaN]);
    const { warnings, examples } = layOutExamples(task, tables);
    expect(warnings).toMatchObject([{ code: 'silent_table', table: 'invoice', newest: '2021-06-28' }]);
    expect(Math.max(...examples[0].closes)).toBeLessThanOrEqual(start + 178 * day);
  });

  test.each([
    ['the silence is one of many as long', tablesOf(2, start + 183 * day), 153],
    ['there are rows of few days', tablesOf(20), 300],
  ])('say that nothing happened where %s', (_, tables, last) => {
    expect(labelsAt(tables, [last])).not.toEqual([Number.NaN]);
    expect(layOutExamples(task, tables).warnings).toEqual([]);
  });
});
