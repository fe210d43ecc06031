import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../tests/service.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { sweep } from './sweep.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function keysUnder(root: string): Promise<string[]> {
  const keys = [];
  for await (const { key } of service.service.app.storage.list(root)) keys.push(key.slice(root.length));
  return keys;
}

test('removes what nothing refers to and keeps the rest', async () => {
  const { app } = service.service;
  const { ctx, client } = await service.tenant('Sweep');
  const root = `${ctx.organizationId}/${ctx.workspaceId}/`;
  const kept = await client.upload('kept.csv', 'a\n1\n');
  const deleted = await client.upload('deleted.csv', 'a\n2\n');
  expect((await client.send('DELETE', `/v2/api/files/${deleted}`)).status).toBe(200);
  const left = ['lake/0123.parquet', 'snapshots/snp_01a1feb6e22c71aab2fb63ce62062961.frozen', `files/${deleted}`];
  for (const key of left) await app.storage.put(`${root}${key}`, Buffer.from('left by work that died'));
  expect(await sweep(app, -1000)).toMatchObject({ objects: 3 });
  expect(await keysUnder(root)).toEqual([`files/${kept}`]);
});

test('leaves objects alone that may belong to work under way', async () => {
  const { app } = service.service;
  const { ctx } = await service.tenant('Young');
  const root = `${ctx.organizationId}/${ctx.workspaceId}/`;
  const young = `versions/${newId('ver')}/manifest.json`;
  await app.storage.put(`${root}${young}`, Buffer.from('on its way'));
  expect(await sweep(app)).toMatchObject({ objects: 0 });
  expect(await keysUnder(root)).toEqual([young]);
});
