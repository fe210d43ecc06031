import { expect, test } from 'vitest';
import { at, day, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { warnOfTime, warnOfUndated, warnOfWindow } from './warn-of-time.ts';

const task = parseTask('entity: loan\nkey: loan_id\nlabel: late\nkind: binary\n', 'late', 'task.yaml');
const loans = Array.from({ length: 40 }, (_, i) => {
  const created = at('2020-01-01') + i * day;
  return { loan_id: i, created, approved: created + 2 * day, due: created + 30 * day };
});
const examples = {
  rows: Int32Array.from(loans.keys()),
  at: Float64Array.from(loans, ({ approved }) => approved),
  labels: new Float64Array(loans.length),
  closes: new Float64Array(loans.length),
};

function warnWhenDatedBy(time: string) {
  const columns = { loan_id: 'integer', created: 'date', approved: 'date', due: 'date' } as const;
  const contract = sampleContract([{ name: 'loan', key: 'loan_id', columns, time }]);
  const tables = sampleTables(contract, { loan: loans });
  return warnOfTime({ task, graph: { tables }, outputs: [{ examples }] });
}

test('rows asked about at another date of theirs than the contract dates them by are warned of by both names', () => {
  expect(warnWhenDatedBy('approved')).toEqual([]);
  const [{ code, message }, ...others] = warnWhenDatedBy('created');
  expect([code, others]).toEqual(['data', []]);
  expect(message).toMatch(/on the day of loan\.approved, and the contract dates loan by created: .*make approved/);
});

test('labels that are never known are warned of where something comes after the rows asked about', () => {
  const contract = sampleContract([
    { name: 'loan', key: 'loan_id', columns: { loan_id: 'integer', approved: 'date' }, time: 'approved' },
    {
      ...{ name: 'payment', time: 'paid', references: { loan_id: 'loan' } },
      columns: { loan_id: 'integer', paid: 'date' },
    },
  ]);
  const warnedOf = (asked: string, days: number) => {
    const payment = loans.map(({ loan_id, approved }) => ({ loan_id, paid: approved + days * day }));
    const tables = sampleTables(contract, {
      loan: loans.map(({ loan_id, approved }) => ({ loan_id, approved })),
      payment,
    });
    const question = `entity: loan\nkey: loan_id\nlabel: late\nkind: binary\n${asked}`;
    const outputs = [{ examples }];
    return warnOfWindow({ task: parseTask(question, 'late', 'task.yaml'), graph: { tables }, outputs });
  };
  expect(warnedOf('', 12)).toEqual([
    {
      ...{ code: 'data', message: expect.stringMatching(/^payment has rows .*earlier loan .*window: 30d.*known/) },
      because: { code: 'no_window', table: 'payment', entity: 'loan' },
    },
  ]);
  expect(warnedOf('window: 30d\n', 12)).toEqual([]);
  expect(warnedOf('known: settled_on\n', 12)).toEqual([]);
  // Lines that come with the rows tell of nothing after them.
  expect(warnedOf('', 0)).toEqual([]);
});

test('undated rows of those asked about are warned of where there are several for one, and moments differ', () => {
  const warnedOf = (perLoan: number, time?: string, asked = examples) => {
    const contract = sampleContract([
      { name: 'loan', key: 'loan_id', columns: { loan_id: 'integer', approved: 'date' }, time: 'approved' },
      {
        ...{ name: 'payment', ...(time && { time }), references: { loan_id: 'loan' } },
        columns: { loan_id: 'integer', paid: 'date' },
      },
    ]);
    const tables = sampleTables(contract, {
      loan: loans.map(({ loan_id, approved }) => ({ loan_id, approved })),
      payment: loans.flatMap(({ loan_id, approved }) =>
        Array.from({ length: perLoan }, (_, i) => ({ loan_id, paid: approved + i * day })),
      ),
    });
    return warnOfUndated({ task, graph: { tables }, outputs: [{ examples: asked }] });
  };
  expect(warnedOf(3)).toEqual([
    {
      ...{ code: 'data', message: expect.stringMatching(/^payment: no event time, .* one of loan/) },
      because: { code: 'undated_events', tables: ['payment'], entity: 'loan' },
    },
  ]);
  expect(warnedOf(3, 'paid')).toEqual([]);
  // One row for each is more of what is known of it.
  expect(warnedOf(1)).toEqual([]);
  expect(warnedOf(3, undefined, { ...examples, at: examples.at.map(() => at('2021-01-01')) })).toEqual([]);
});
