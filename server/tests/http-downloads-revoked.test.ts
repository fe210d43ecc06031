/** A download ends with the right to it, however slowly its reader reads. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { createKey } from '../src/resources/api-keys/create.ts';
import { revokeKey } from '../src/resources/api-keys/revoke.ts';
import { openStage, type Stage } from './damage.ts';

let stage: Stage;
let file: string;
/** Far more than the buffers of a connection hold. */
const bytes = randomBytes(120_000_000);

beforeAll(async () => {
  stage = await openStage();
  file = await stage.tenant.client.upload('large.csv', bytes);
});
afterAll(() => stage.service.close());

async function newKey(): Promise<{ id: string; secret: string }> {
  const { tenant, service } = stage;
  const { userId } = await tenant.as('creator');
  return createKey(service.service.app.db, tenant.ctx, { name: 'downloads', userId });
}

function open(url: string, key?: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    request(url, { headers, agent: false }, resolve).on('error', reject).end();
  });
}

/** Counts what arrives of an answer. It is read only between `resume` and `pause`. */
function follow(answer: IncomingMessage) {
  const counted = { got: 0, untilGot: (_: number) => Promise.resolve(), ended: Promise.resolve('whole') };
  const ended = Promise.withResolvers<string>();
  counted.ended = ended.promise;
  answer.on('data', (chunk: Buffer) => {
    counted.got += chunk.length;
  });
  answer.once('end', () => ended.resolve('whole'));
  answer.once('error', () => ended.resolve('broken off'));
  counted.untilGot = async (bytesWanted) => {
    while (counted.got < bytesWanted) await once(answer, 'data');
  };
  return counted;
}

/** What may lie in the buffers of both ends of a connection. */
const bufferedMax = 24_000_000;

test.each([
  ['one that reads all the time', 0],
  ['one that stops to read', 1_500],
])('after the key is revoked, %s gets no more than was on its way', async (_, stopMs) => {
  const { service, tenant } = stage;
  const { id, secret } = await newKey();
  const answer = await open(`${service.url}/v2/api/files/${file}/content`, secret);
  expect(answer.statusCode).toBe(200);
  await endsAfterRevocation(answer, () => revokeKey(service.service.app.db, tenant.ctx, id), stopMs);
});

test('a download goes on while the right is there', async () => {
  const { secret } = await newKey();
  const answer = await open(`${stage.service.url}/v2/api/files/${file}/content`, secret);
  const followed = follow(answer);
  await followed.untilGot(1_000_000);
  answer.pause();
  await sleep(1_500);
  answer.resume();
  expect(await followed.ended).toBe('whole');
  expect(followed.got).toBe(bytes.length);
});

test('a signed address ends with whom it was made for', async () => {
  const { service, tenant, world } = stage;
  const { id, secret } = await newKey();
  const signed = (await service.client(secret).get(`/v2/api/batches/${world.batch}/result`)).body.files[0];
  // The result becomes the large file, as a batch of many rows would have left it.
  const { db } = service.service.app;
  await system(db, 'test', async (tx) => {
    const large = await tx.selectFrom('files').selectAll().where('id', '=', file).executeTakeFirstOrThrow();
    await tx
      .updateTable('batch_files')
      .set({ output_key: large.storage_key, output_bytes: large.bytes, output_sha256: large.sha256 })
      .where('batch_id', '=', world.batch)
      .execute();
  });
  const answer = await open(signed.download_url);
  expect(answer.statusCode).toBe(200);
  await endsAfterRevocation(answer, () => revokeKey(db, tenant.ctx, id), 0);
});

/** Reads a little, has the right end, and expects the answer to break off soon after the reader goes on. */
async function endsAfterRevocation(answer: IncomingMessage, revoke: () => Promise<void>, stopMs: number) {
  const followed = follow(answer);
  await followed.untilGot(1_000_000);
  answer.pause();
  await revoke();
  await sleep(stopMs);
  const before = followed.got;
  answer.resume();
  expect(await followed.ended).toBe('broken off');
  expect(followed.got - before).toBeLessThan(bufferedMax);
}
