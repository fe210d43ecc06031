import { expect, test } from 'vitest';
import { sampleContract, sampleTables } from '../../../tests/samples.ts';
import { withValueTables } from './values.ts';

test('a table that is called like a column of another keeps its place, whichever comes first', () => {
  const city = { name: 'client.city', key: 'code', columns: { code: 'integer', country: 'string' } } as const;
  const client = { name: 'client', key: 'id', columns: { id: 'integer', city: 'string', plan: 'string' } } as const;
  const data = { client: [{ id: 1, city: 'Lima', plan: 'a' }], 'client.city': [{ code: 7, country: 'PE' }] };
  for (const samples of [
    [city, client],
    [client, city],
  ]) {
    const tables = withValueTables(sampleTables(sampleContract(samples), data), []);
    expect(tables.get('client.city')!.contract.key).toEqual(['code']);
    expect([...tables.get('client')!.references.keys()]).toEqual(['plan']);
    expect(tables.get('client.plan')!.values).toBe(true);
  }
});
