/** Patterns of contracts over HTTP: none holds an ingestion, and what the syntax lacks is said. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, startTestService, type TestService } from '../service.ts';
import { take } from '../spoilt-files.ts';

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startTestService();
  ({ client } = await service.tenant('Patterns'));
});
afterAll(() => service.close());

function propose(pattern: string) {
  const document = `apiVersion: v3.1.0
kind: DataContract
id: patterns
version: '1'
schema:
  - name: things
    properties:
      - { name: id, logicalType: integer, primaryKey: true, required: true }
      - { name: code, logicalType: string, logicalTypeOptions: { pattern: ${JSON.stringify(pattern)} } }
`;
  return client.post('/v1/api/contracts', { document, accept: true });
}

test('a pattern that would go back for hours is held against values at once', async () => {
  expect((await propose(`^${'a*'.repeat(40)}b$`)).status).toBe(201);
  const bytes = `id,code\n1,${'a'.repeat(5_000)}b\n2,${'a'.repeat(5_000)}c\n3,${'a'.repeat(20_000)}b\n`;
  const { told } = await take(client, { name: 'things.csv', bytes, table: 'things' });
  expect(told.files).toMatchObject([
    { deviations: [{ rule: 'wrong_pattern', column: 'code', count: 2, samples: [{ row: 2 }, { row: 3 }] }] },
  ]);
});

test.each([
  ['(a)\\1', /refers back to an earlier group/],
  ['a(?=b)', /looks ahead or behind/],
  ['a{1000}{1000}', /cannot be used/],
  ['(?:a{1000}){1000}', /at most 1000 repetitions/],
])('the contract with the pattern %s is refused, and the refusal says why', async (pattern, message) => {
  const { status, body } = await propose(pattern);
  expect([status, body.code]).toEqual([422, 'invalid_contract']);
  expect(body.errors[0]).toMatchObject({ pointer: '/document', detail: expect.stringMatching(message) });
});
