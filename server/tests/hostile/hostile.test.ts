/** Each hostile request is answered as the catalogue says, and the service goes on. Files have a test of their own. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestService } from '../service.ts';
import { startShop } from '../support/samples/batches.ts';
import type { Attacker } from './attack.ts';
import { openAttacker } from './open-attacker.ts';
import { requestAttacks as attacks } from './requests.ts';

let service: TestService;
let attacker: Attacker;

beforeAll(async () => {
  const shop = await startShop();
  service = shop.service;
  const { client: newcomer } = await service.tenant('Newcomer');
  attacker = await openAttacker(service.url, shop.client, newcomer, shop.returns);
});
afterAll(() => service.close());

test('attacks have names of their own', () => {
  expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
});

test.each(attacks.map((attack) => [attack.name, attack] as const))('%s', async (_, { run, expected }) => {
  expect(await run(attacker)).toMatch(expected);
  expect((await attacker.anonymous.get('/healthz')).status).toBe(200);
});
