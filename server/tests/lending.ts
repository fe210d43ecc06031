/**
 * A made-up lender small enough to learn from in a second: customers, their orders, loans and what is due of them; test
 * support.
 */
import { writeContract } from '../src/ml/contract/write.ts';
import { at, type Data, day, draws, type Row, sampleContract, type TableSample } from './samples.ts';

export const lendingContract = sampleContract([
  {
    name: 'customer',
    key: 'customer_id',
    time: 'joined',
    columns: { customer_id: 'string', joined: 'date', segment: 'string', wealth: 'number' },
  },
  {
    name: 'order',
    key: 'order_id',
    time: 'placed',
    references: { customer_id: 'customer' },
    columns: { order_id: 'string', customer_id: 'string', placed: 'date', amount: 'number', goods: 'string' },
  },
  loanTable({ size: 'number', charged_off: 'date' }),
  instalmentTable({ days_late: { type: 'number', knownFrom: 'paid' } }),
]);

/** Loans of customers, with further columns. */
export function loanTable(further: TableSample['columns']): TableSample {
  return {
    name: 'loan',
    key: 'loan_id',
    time: 'opened',
    references: { customer_id: 'customer' },
    columns: { loan_id: 'string', customer_id: 'string', opened: 'date', ...further },
  };
}

/** What is due of loans, with further columns. */
export function instalmentTable(further: TableSample['columns']): TableSample {
  return {
    name: 'instalment',
    key: 'instalment_id',
    time: { reference: 'loan_id', offset: 0 },
    references: { loan_id: 'loan' },
    columns: {
      instalment_id: 'string',
      loan_id: 'string',
      due: { type: 'date', planned: true },
      amount: 'number',
      paid: 'date',
      ...further,
    },
  };
}

/** The first day, and the last that is known. */
export const lendingFrom = at('2021-01-01');
export const lendingUntil = at('2022-06-30');

const customers = 60;
const goods = ['bread', 'fuel', 'tools'];

/** Every third customer is poor, pays late and buys little. */
export function lendingData(seed = 11): Data {
  const draw = draws(seed);
  const isPoor = (customer: number) => customer % 3 === 0;
  const data = { customer: [] as Row[], order: [] as Row[], loan: [] as Row[], instalment: [] as Row[] };
  for (let c = 0; c < customers; c++) {
    const joined = lendingFrom + draw.between(0, 90) * day;
    data.customer.push({
      customer_id: `c${c}`,
      joined,
      segment: c % 2 ? 'retail' : 'trade',
      wealth: (isPoor(c) ? 20 : 60) + draw.between(0, 20),
    });
    for (let placed = joined; placed <= lendingUntil; placed += draw.between(5, isPoor(c) ? 60 : 20) * day)
      data.order.push({
        order_id: `o${data.order.length}`,
        customer_id: `c${c}`,
        placed,
        amount: draw.between(10, isPoor(c) ? 40 : 90),
        goods: draw.next() < 0.7 ? goods[c % 3] : draw.pick(goods),
      });
    for (let k = 0; k < 3; k++) lend(data, draw, c, joined + (10 + 110 * k + draw.between(0, 60)) * day, isPoor(c));
  }
  return data;
}

function lend(
  data: { loan: Row[]; instalment: Row[] },
  draw: ReturnType<typeof draws>,
  customer: number,
  opened: number,
  isPoor: boolean,
): void {
  const loan_id = `l${data.loan.length}`;
  let worst = 0;
  for (let month = 1; month <= 6; month++) {
    const due = opened + 30 * month * day;
    const late = draw.next() < (isPoor ? 0.5 : 0.1) ? draw.between(31, 200) : draw.between(-5, 10);
    const paid = due + late * day;
    const isPaid = paid <= lendingUntil;
    worst = Math.max(worst, late);
    data.instalment.push({
      instalment_id: `${loan_id}-${month}`,
      loan_id,
      due,
      amount: 100,
      paid: isPaid ? paid : null,
      days_late: isPaid ? late : null,
    });
  }
  const off = opened + 240 * day;
  data.loan.push({
    loan_id,
    customer_id: `c${customer}`,
    opened,
    size: 600 + draw.between(0, 9),
    charged_off: worst > 120 && off <= lendingUntil ? off : null,
  });
}

/** Every window of the questions has closed, and every loan asked about has been observed, by this day. */
export const lendingClosed = at('2022-03-05');
/** Well before the last of them. */
export const lendingEarly = at('2021-04-15');

/** One question of each kind. */
export const lendingQueries = {
  buys: "PREDICT exists(order WHERE amount > 30 AND goods IN ('bread', 'fuel')) WITHIN 10d, 30d FOR customer EVERY 30d FROM 2021-04-01 UNTIL 2021-12-01",
  credit:
    'PREDICT exists(instalment OVERDUE 30d (due, paid)) WITHIN 30d, 90d FOR customer WHERE exists(loan) VIA loan_id.customer_id EVERY 30d FROM 2021-05-01 UNTIL 2021-12-01 AS credit',
  leaves: 'PREDICT count(order) = 0 WITHIN 30d FOR customer EVERY 30d FROM 2021-04-01 UNTIL 2021-12-01',
  orders:
    "PREDICT count(order) WITHIN 30d, 60d FOR customer WHERE segment = 'retail' EVERY 20d FROM 2021-04-01 UNTIL 2021-12-01",
  spends: 'PREDICT sum(order.amount) WITHIN 30d FOR customer EVERY 30d FROM 2021-04-01 UNTIL 2021-12-01',
  waits: 'PREDICT first(order) WITHIN 60d FOR customer EVERY 30d FROM 2021-04-01 UNTIL 2021-12-01',
  next: 'PREDICT next(order.goods) WITHIN 60d FOR customer EVERY 30d FROM 2021-04-01 UNTIL 2021-12-01',
  late: 'PREDICT exists(instalment WHERE days_late > 30) WITHIN 60d FOR customer EVERY 30d FROM 2021-05-01 UNTIL 2021-12-01',
  month: 'PREDICT delinquency(loan, 30 days at month 3) UNTIL 2021-09-01',
  first: 'PREDICT delinquency(loan, first_payment_default 30 days) UNTIL 2021-09-01',
  lost: 'PREDICT delinquency(loan, charge_off(charged_off) by month 9, instalment(due, paid)) UNTIL 2021-06-01',
  defaults:
    'PREDICT delinquency(loan, 30 days at month 3) WITHIN 30d, 90d FOR customer WHERE exists(loan) EVERY 20d FROM 2021-05-01 UNTIL 2021-12-01 AS credit',
} as const;

/**
 * The data with what happens or becomes known after a moment: rows of every table, payments, charge-offs of every other
 * loan.
 */
export function plantAfter(data: Data, after: number): Data {
  const draw = draws(5);
  const when = () => after + draw.between(1, 60) * day;
  const someone = () => `c${draw.between(0, 59)}`;
  const rows = (count: number, make: (k: number) => Row) => Array.from({ length: count }, (_, k) => make(k));
  return {
    customer: [
      ...rows(20, (k) => ({ customer_id: `x${k}`, joined: when(), segment: 'new', wealth: 1e6 })),
      ...data.customer!,
    ],
    order: [
      ...rows(300, (k) => ({ order_id: `x${k}`, customer_id: someone(), placed: when(), amount: 1e5, goods: 'gold' })),
      ...data.order!,
    ],
    loan: [
      ...rows(60, (k) => ({ loan_id: `x${k}`, customer_id: someone(), opened: when(), size: 1, charged_off: when() })),
      ...data.loan!.map((row, k) =>
        k % 2 === 0 && (row.charged_off === null || Number(row.charged_off) > after)
          ? { ...row, charged_off: when() }
          : row,
      ),
    ],
    instalment: [
      ...rows(60, (k) => ({
        instalment_id: `x${k}`,
        loan_id: `x${k}`,
        due: when(),
        amount: 1,
        paid: when(),
        days_late: 99,
      })),
      ...data.instalment!.map((row) =>
        row.paid === null || Number(row.paid) > after ? { ...row, paid: when(), days_late: 500 } : row,
      ),
    ],
  };
}

/** The contract and the tables as files of a data set's folder. */
export function lendingFiles(data: Data): Record<string, string> {
  const files: Record<string, string> = { 'contract.yaml': writeContract(lendingContract) };
  for (const { name, columns } of lendingContract.tables) {
    const lines = data[name].map((row) =>
      columns
        .map((column) => {
          const value = row[column.name] ?? null;
          if (value === null) return '';
          return column.type === 'date' ? new Date(Number(value) / 1000).toISOString().slice(0, 10) : String(value);
        })
        .join(','),
    );
    files[`tables/${name}.csv`] = `${[columns.map((column) => column.name).join(','), ...lines].join('\n')}\n`;
  }
  return files;
}
