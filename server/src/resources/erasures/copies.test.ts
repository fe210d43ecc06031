/** Erasures when objects are stored in S3 and machines have local copies. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../tests/service.ts';
import { shopTables, shopText } from '../../../tests/shop.ts';
import { type S3Server, startS3Server } from '../../../tests/support/samples/lib-storage.ts';
import { takeIn } from '../../../tests/take-in.ts';
import { clocksDifferMs, openForgetting } from './forget.ts';

let s3: S3Server;
let service: TestService;
const person = 'person-to-be-forgotten-7f3a';

beforeAll(async () => {
  s3 = await startS3Server();
  process.env.AWS_ACCESS_KEY_ID = s3.credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = s3.credentials.secretAccessKey;
  const endpoint = encodeURIComponent(s3.endpoint);
  service = await startTestService({ storageUrl: `s3://${s3.bucket}/lastro?endpoint=${endpoint}` });
});
afterAll(async () => {
  await service.close();
  await s3.stop();
});

/** Whether a file under a folder, at any depth, contains the name. */
function keepsName(folder: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .some((path) => statSync(path).isFile() && readFileSync(path).includes(person));
}

test('no copy of the name is left on the machine, nor in the bucket', async () => {
  const { client, ctx } = await service.tenant('Remote');
  const contract = shopText('contract.yaml').replace(
    '        value: since\n',
    '        value: since\n      - property: entityKind\n        value: individual\n',
  );
  const naming = (text: string) => text.replaceAll(/\bC1\b/g, person);
  const tables = { customers: naming(shopTables.customers), orders: naming(shopTables.orders) };
  await takeIn(client, contract, tables, 'append');
  const cache = join(service.folder, 'cache');
  expect(keepsName(cache)).toBe(true);

  const erasure = await client.post('/v1/api/erasures', { identifier: person });
  const done = await client.finished(`/v1/api/erasures/${erasure.body.id}`);
  expect(done.body, done.text).toMatchObject({ status: 'succeeded', erased: { identifiers: 1 } });
  expect([...s3.objects.values()].some(({ bytes }) => bytes.includes(person))).toBe(false);
  expect(keepsName(cache)).toBe(false);

  // A process that starts later forgets what may have the name, and no copy that was made since.
  const forgotten: [string, number][] = [];
  await openForgetting(service.service.app.db, async (...asked) => void forgotten.push(asked))();
  const folder = `${ctx.organizationId}/${ctx.workspaceId}/`;
  expect(forgotten).toEqual([[folder, Date.parse(done.body.finished_at) + clocksDifferMs]]);
});
