/** The two tasks of the made-up world: what customers will do, asked at dates, and what becomes of new invoices. */
import { parseTask } from '../../src/ml/tasks/parse-task.ts';
import type { Task } from '../../src/ml/tasks/task.ts';
import { at, type Data, day, draws, type Row } from '../samples.ts';
import { customers, cut, data, ids, isoDay } from './world.ts';

export const tasks = {
  churn: 'entity: customer\nkey: customer_id\ntime: date\nlabel: left\nkind: binary\nwindow: 30d\n',
  late: 'entity: invoice\nkey: invoice_id\ntime: date\nlabel: late\nkind: binary\nwindow: 60d\n',
} as const;
export type TaskName = keyof typeof tasks;
export const taskNames = Object.keys(tasks) as TaskName[];

export const labels = { churn: makeLabels(data, 'churn'), late: makeLabels(data, 'late') };

/** Questions as of the cut (customers) and of their own day (invoices), as files ask them. */
export const questions: Record<TaskName, Row[]> = {
  churn: ids(customers).map((customer_id) => ({ customer_id, reference_date: isoDay(cut) })),
  late: data.invoice
    .filter(({ issued }) => Number(issued) <= cut && Number(issued) > cut - 60 * day)
    .map(({ invoice_id, account_id, merchant_id, issued, amount, goods, due }) => ({
      invoice_id,
      account_id,
      merchant_id,
      issued: isoDay(Number(issued)),
      amount,
      goods,
      due: isoDay(Number(due)),
    })),
};

export function taskOf(task: TaskName): Task {
  return parseTask(tasks[task], task, 'task.yaml');
}

export function withoutLabel({ late, left, ...row }: Row): Row {
  return row;
}

/** Labels that depend on what came before, so that there is something to learn. */
function makeLabels(data: Data, task: TaskName): { train: Row[]; test: Row[] } {
  const draw = draws(8);
  if (task === 'late') {
    const rows = data.invoice
      .filter(({ issued }) => Number(issued) <= cut)
      .map(({ invoice_id, issued, merchant_id }) => ({
        invoice_id,
        date: isoDay(Number(issued)),
        late: Number(Number(merchant_id) + draw.next() * 6 > 7),
      }));
    const latest = data.invoice.filter(({ issued }) => Number(issued) > cut);
    return {
      train: rows,
      test: latest.map(({ invoice_id, issued }) => ({ invoice_id, date: isoDay(Number(issued)) })),
    };
  }
  const anchors = [];
  for (let moment = at('2021-02-01'); moment <= cut; moment += 21 * day) anchors.push(moment);
  anchors.push(cut);
  const train = [...new Set(anchors)].flatMap((moment) =>
    data.customer.map(({ customer_id, segment }) => {
      const recent = data.order.filter(
        (order) =>
          order.customer_id === customer_id &&
          Number(order.placed) <= moment &&
          Number(order.placed) > moment - 60 * day,
      );
      return {
        customer_id,
        date: isoDay(moment),
        left: Number(recent.length + (segment === 'large' ? 1 : 0) + draw.next() * 2 < 2.4),
      };
    }),
  );
  return { train, test: data.customer.map(({ customer_id }) => ({ customer_id, date: isoDay(cut + 15 * day) })) };
}
