/** Mistakes with tasks. */
import { csv, day, returnsTask, shopText } from '../shop.ts';
import { type Mistake, type Place, refusal, trained } from './mistake.ts';

const definition = returnsTask.definition;
const define = async ({ client, labels }: Place, text: string) =>
  refusal(await client.post('/v1/api/tasks', { name: 'mistaken', definition: text, labels }));
const query = async ({ client }: Place, text: string) =>
  refusal(await client.post('/v1/api/tasks', { name: 'mistaken', definition: text }));
const train = shopText('tasks/returns/train.csv');

export const taskMistakes: readonly Mistake[] = [
  {
    did: 'A word misspelt: `stirct: true`',
    make: (place) => define(place, `${definition}stirct: true\n`),
    code: '422 `invalid_task`',
    says: [/line 8/, /stirct/, /strict/],
  },
  {
    did: 'A metric of another kind: `metric: mae` of yes or no',
    make: (place) => define(place, definition.replace('auroc', 'mae')),
    code: '422 `invalid_task`',
    says: [/line 6, metric/, /auroc/],
  },
  {
    did: 'A table that the contract does not have',
    make: (place) => define(place, definition.replace('customers', 'clients')),
    code: '422 `invalid_task`',
    says: [/clients/, /customers, orders/],
  },
  {
    did: 'A window in words: `window: a month`',
    make: (place) => define(place, definition.replace('30d', 'a month')),
    code: '422 `invalid_task`',
    says: [/line 7, window/, /30d/],
  },
  {
    did: 'A label column that the file calls otherwise',
    async make({ client }) {
      const file = await client.upload('train.csv', train.replace('returns', 'returned'));
      return refusal(await client.post('/v1/api/tasks', { name: 'mistaken', definition, labels: { train: file } }));
    },
    code: '422 `invalid_task`',
    says: [/label column returns/, /did you mean returned/],
  },
  {
    did: 'A word of a query misspelt',
    make: (place) => query(place, 'PREDICT exists(orders) WHITHIN 30d FOR customers'),
    code: '422 `invalid_task`',
    says: [/line 1, column 24/, /WITHIN/],
  },
  {
    did: 'A number compared with a text',
    make: (place) => query(place, "PREDICT exists(orders WHERE amount > 'much') WITHIN 30d FOR customers"),
    code: '422 `invalid_task`',
    says: [/orders\.amount/, /number/],
  },
  {
    did: 'A definition that needs labels, without any',
    async make({ client }) {
      return refusal(await client.post('/v1/api/tasks', { name: 'mistaken', definition }));
    },
    code: '422 `invalid_task`',
    says: [/labels\.train/],
  },
  {
    did: 'Labels that are all the same',
    async make(place) {
      const rows = Array.from({ length: 40 }, (_, i) => [day(100 + i), `C${i}`, 1]);
      const file = await place.client.upload('train.csv', csv('date,customer_id,returns', rows));
      return trained(place, { definition, labels: { train: file } });
    },
    code: 'the run fails, `invalid`',
    says: [/all 40 labels/, /two different/],
  },
  {
    did: 'A column that is the label itself, left readable',
    async make({ service }) {
      const { client } = await service.tenant('Leaking');
      const { takeIn } = await import('../take-in.ts');
      const own = shopText('contract.yaml').replace(
        '      - name: since\n',
        '      - name: left\n        logicalType: integer\n      - name: since\n',
      );
      const customers = csv(
        'customer_id,segment,left,since',
        Array.from({ length: 40 }, (_, c) => [`C${c}`, c % 2 ? 'retail' : 'trade', c % 3 === 0 ? 1 : 0, day(0)]),
      );
      await takeIn(client, own, { customers, orders: shopText('tables/orders.csv') });
      const rows = Array.from({ length: 240 }, (_, i) => [
        day(100 + Math.floor(i / 40)),
        `C${i % 40}`,
        (i % 40) % 3 === 0 ? 1 : 0,
      ]);
      const file = await client.upload('train.csv', csv('date,customer_id,returns', rows));
      return trained({ client } as Place, { definition, labels: { train: file } });
    },
    code: 'the run fails, `leakage_found`',
    says: [/customers\.left/, /hide/, /trust/],
  },
];
