/**
 * A reference that changes after its row came, of which neither a date nor kept versions say when, leads nowhere at an
 * earlier moment: no feature is read along it.
 */
import { expect, test } from 'vitest';
import { anchorsOf, readableUntilAt, withLabels } from '../../src/ml/features/anchors.ts';
import { evaluate } from '../../src/ml/features/evaluate.ts';
import { proposeFeatures } from '../../src/ml/features/proposals/propose-features.ts';
import type { Examples } from '../../src/ml/tasks/examples.ts';
import { objectiveOf } from '../../src/ml/tasks/labels.ts';
import { parseTask } from '../../src/ml/tasks/parse-task.ts';
import { at, type Data, day, draws, sampleContract, sampleTables } from '../samples.ts';
import { ids } from './world.ts';

const start = at('2022-01-01');
const cut = start + 300 * day;

/** Accounts change hands; `mutable` is what the contract says of that. */
const contractOf = (mutable: boolean) =>
  sampleContract([
    { name: 'customer', key: 'customer_id', time: 'joined', columns: { customer_id: 'integer', joined: 'timestamp' } },
    {
      name: 'account',
      key: 'account_id',
      time: 'opened',
      references: { customer_id: 'customer' },
      columns: { account_id: 'integer', opened: 'timestamp', customer_id: { type: 'integer', mutable } },
    },
    {
      name: 'payment',
      key: 'payment_id',
      time: 'paid',
      references: { account_id: 'account', shop_id: 'shop' },
      columns: {
        payment_id: 'integer',
        account_id: 'integer',
        shop_id: 'integer',
        paid: 'timestamp',
        amount: 'number',
        method: 'string',
      },
    },
    { name: 'shop', key: 'shop_id', columns: { shop_id: 'integer' } },
  ]);

const data: Data = {
  customer: ids(30).map((customer_id) => ({ customer_id, joined: start })),
  account: ids(40).map((account_id) => ({ account_id, opened: start, customer_id: 1 + (account_id % 30) })),
  payment: ids(900).map((payment_id) => ({
    payment_id,
    account_id: draws(payment_id).between(1, 40),
    shop_id: 1 + (payment_id % 7),
    paid: start + (payment_id % 290) * day,
    amount: payment_id % 13,
    method: payment_id % 3 === 0 ? 'card' : 'cash',
  })),
  shop: ids(7).map((shop_id) => ({ shop_id })),
};
/** Sent later, when every account had changed hands. */
const later: Data = {
  ...data,
  account: data.account!.map((row) => ({ ...row, customer_id: 1 + ((Number(row.customer_id) + 6) % 30) })),
};

const task = parseTask(
  'kind: binary\nentity: customer\nkey: customer_id\nlabel: left\nmetric: auroc\nwindow: 30d\n',
  'left',
  'task.yaml',
);

function featuresOf(mutable: boolean) {
  const matrixOf = (of: Data) => {
    const tables = sampleTables(contractOf(mutable), of);
    const rows = Int32Array.from({ length: 30 }, (_, row) => row);
    const moments = Float64Array.from(rows, (row) => start + (120 + (row % 9) * 15) * day);
    const labels = Float64Array.from(rows, (row) => row % 2);
    const examples: Examples = { rows, at: moments, closes: moments.map((moment) => moment + 30 * day), labels };
    const graph = withLabels(task, tables, examples, false, objectiveOf(task, null, []));
    const anchors = anchorsOf(task, graph.tables, examples, false, readableUntilAt(task, cut));
    return { graph, anchors };
  };
  const { graph, anchors } = matrixOf(data);
  const { features } = proposeFeatures(graph, task, anchors, cut);
  const after = matrixOf(later);
  const [one, two] = [evaluate(graph, features, anchors), evaluate(after.graph, features, after.anchors)];
  const moved = features.filter((_, f) => {
    const valuesOf = ({ values, rows }: typeof one) => Buffer.from(values.slice(f * rows, (f + 1) * rows).buffer);
    return !valuesOf(one).equals(valuesOf(two));
  });
  return { features, moved };
}

test('no feature follows a reference that changes undated, and one that never changes is followed', () => {
  const changing = featuresOf(true);
  expect(changing.features.length).toBeGreaterThan(0);
  expect(changing.moved).toEqual([]);
  expect(featuresOf(false).moved.length).toBeGreaterThan(20);
});
