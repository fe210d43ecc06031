import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../tests/service.ts';
import { seedDemo } from './seed-demo.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test('a demo whose training failed, and whose key was not written down, is made ready by the next start', async () => {
  const { folder } = service;
  const { pool } = service.service.app.db;
  const count = async (table: string) => (await pool.query(`select count(*)::int as n from ${table}`)).rows[0].n;
  const seed = () => seedDemo(service.service, folder, () => {});
  await seed();
  for (const name of ['demo.json', 'demo-key.json']) rmSync(join(folder, name));
  await pool.query("update training_runs set status = 'failed'");
  await seed();
  expect(existsSync(join(folder, 'demo.json'))).toBe(true);
  expect(await Promise.all(['organizations', 'ingestions', 'tasks', 'training_runs'].map(count))).toEqual([1, 1, 1, 2]);
});
