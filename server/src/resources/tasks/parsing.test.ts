import { expect, test } from 'vitest';
import { sampleContract } from '../../../tests/samples.ts';
import { writeContract } from '../../ml/contract/write.ts';
import { readDefinition } from './parsing.ts';

const columns = { payment_id: 'string', customer_id: 'string', 'Data do pagamento': 'date' } as const;
const contract = writeContract(
  sampleContract([
    { name: 'customer', key: 'customer_id', columns: { customer_id: 'string' } },
    { name: 'payment', key: 'payment_id', time: 'Data do pagamento', references: { customer_id: 'customer' }, columns },
  ]),
);

test('a name of the active contract that lacks its quotes is told with them', async () => {
  const read = (definition: string, text: string | null) =>
    readDefinition({ name: 'late', definition, contract: text });
  const asked = (column: string) =>
    `PREDICT exists(payment WHERE ${column} > 2024-01-31) WITHIN 30d FOR customer WHERE exists(payment)`;
  await expect(read(asked('Data do pagamento'), contract)).rejects.toThrow('did you mean "Data do pagamento"?');
  await expect(read(asked('Data do pagamento'), null)).rejects.toThrow('expected =');
  expect((await read(asked('"Data do pagamento"'), contract)).query).toContain('"Data do pagamento"');
});
