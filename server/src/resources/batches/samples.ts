/** Two models of the shop: who returns, asked by customer, and which new order is late; test support. */
import type { Client } from '../../../tests/service.ts';
import { csv, orderRows, returnsTask, shopTables, shopText } from '../../../tests/shop.ts';
import { takeIn } from '../../../tests/take-in.ts';
import { type TaskTexts, trainTask } from '../../../tests/train-task.ts';

export type Trained = { readonly model_id: string; readonly version_id: string };

const lateRows = orderRows.map(([id, , at, amount], i) => [at, id, (Number(amount) + i) % 3 === 0 ? 1 : 0]);
const half = lateRows.length / 2;
const lateTask = {
  name: 'late',
  definition: 'entity: orders\nkey: order_id\ntime: date\nlabel: late\nkind: binary\nmetric: auroc\n',
  labels: {
    train: csv('date,order_id,late', lateRows.slice(0, half)),
    validation: csv('date,order_id,late', lateRows.slice(half)),
  },
};

/** Takes the shop in, learns both tasks, and points `production` at each version. */
export async function learnShop(client: Client): Promise<{ returns: Trained; late: Trained }> {
  await takeIn(client, shopText('contract.yaml'), shopTables);
  return { returns: await learn(client, returnsTask), late: await learn(client, lateTask) };
}

async function learn(client: Client, task: TaskTexts): Promise<Trained> {
  const { run } = await trainTask(client, task);
  return { model_id: run.model_id, version_id: run.version_id };
}
