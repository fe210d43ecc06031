/** Mistakes with contracts. */
import { shopText } from '../shop.ts';
import { deviations, type Mistake, ordersWith, type Place, refusal } from './mistake.ts';

const contract = shopText('contract.yaml');
const propose = async ({ client }: Place, from: string | RegExp, to: string) =>
  refusal(await client.post('/v1/api/contracts', { document: contract.replace(from, to) }));

export const contractMistakes: readonly Mistake[] = [
  {
    did: 'A line that is indented too little',
    make: (place) => propose(place, '        primaryKey: true', '    primaryKey: true'),
    code: '422 `invalid_contract`',
    says: [/line \d+/],
  },
  {
    did: 'A type that there is not: `logicalType: float`',
    make: (place) => propose(place, 'logicalType: number', 'logicalType: float'),
    code: '422 `invalid_contract`',
    says: [/line \d+/, /string, integer, number/],
  },
  {
    did: 'A property misspelt: `eventtime`',
    make: (place) => propose(place, 'property: eventTime', 'property: eventtime'),
    code: '422 `invalid_contract`',
    says: [/eventtime/, /eventTime/],
  },
  {
    did: 'An event time that is no column of the table',
    make: (place) => propose(place, 'value: ordered_at', 'value: order_date'),
    code: '422 `invalid_contract`',
    says: [/order_date/, /orders|column/],
  },
  {
    did: 'An event time that is text',
    make: (place) => propose(place, /(name: ordered_at\n\s+logicalType): date/, '$1: string'),
    code: '422 `invalid_contract`',
    says: [/ordered_at/, /date|timestamp/],
  },
  {
    did: 'A reference to a table whose name is misspelt',
    make: (place) => propose(place, 'to: customers.customer_id', 'to: customer.customer_id'),
    code: '422 `invalid_contract`',
    says: [/line \d+/, /customers\?/],
  },
  {
    did: 'A reference to a column that is no key',
    make: (place) => propose(place, 'to: customers.customer_id', 'to: customers.segment'),
    code: '422 `invalid_contract`',
    says: [/segment/, /key/],
  },
  {
    did: 'A contract accepted that was proposed before another one became active',
    async make({ service }) {
      const { client } = await service.tenant('Late acceptance');
      const old = await client.post('/v1/api/contracts', { document: contract });
      await client.post('/v1/api/contracts', { document: contract, accept: true });
      return refusal(await client.post(`/v1/api/contracts/${old.body.id}/acceptance`));
    },
    code: '409 `conflict`',
    says: [/active/, /propose|send/],
  },
  {
    did: 'A file whose column `amount` is now called `value`',
    make: ({ client }) => deviations(client, { bytes: ordersWith('amount', 'value'), mode: 'replace' }),
    code: 'refused, `new_contract_version`',
    says: [/amount/, /value/, /known rows/],
  },
  {
    did: 'A key that two rows have',
    make: ({ client }) =>
      deviations(client, {
        bytes: 'order_id,customer_id,ordered_at,amount\nN1,C1,2023-05-05,3\nN1,C2,2023-05-06,4\n',
      }),
    code: 'refused, `data_error`',
    says: [/order_id/, /N1/],
  },
];
