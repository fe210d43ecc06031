/** A thousand streams at once, one of which takes nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tenant } from '../../src/access/transactions.ts';
import { createKey } from '../../src/resources/api-keys/create.ts';
import { record } from '../../src/trail/record.ts';
import { type EventStream, openEventStream } from '../event-stream.ts';
import { startTestService, type Tenant, type TestService } from '../service.ts';
import { choose, told } from './acts.ts';

let service: TestService;
let tenants: Tenant[];
beforeAll(async () => {
  service = await startTestService();
  tenants = [await service.tenant('First'), await service.tenant('Second')];
});
afterAll(() => service.close());

const path = '/v1/api/notifications/stream';
const [peopleEach, streamsEach] = [25, 20];

test('E75 a thousand streams are told in order and once each, and a slow one holds up none', async () => {
  const { db } = service.service.app;
  const keys: string[] = [];
  for (const one of tenants)
    for (let at = 0; at < peopleEach; at++) {
      const person = await one.signedIn('developer', 'workspace');
      await choose(person, 'preferences', [{ type: 'batch-lifecycle', channels: 'in_app' }]);
      keys.push((await createKey(db, one.ctx, { name: `stream ${at}`, userId: person.userId })).secret);
    }
  await told(service);
  const slow = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${keys[0]}` } });
  expect(slow.status).toBe(200);
  const streams: EventStream[] = [];
  for (const [at, key] of keys.entries())
    for (let count = at === 0 ? 1 : 0; count < streamsEach; count++)
      streams.push(await openEventStream(service.url, key, { path }));
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  for (const stream of streams) expect((await stream.next())?.event).toBe('counts');
  const count = 20;
  for (const { ctx } of tenants)
    await tenant(db, ctx, async (tx) => {
      for (let at = 0; at < count; at++)
        await record(tx, ctx, 'batch-lifecycle', { type: 'batch', id: `bat_${at}` }, { status: 'queued' });
    });
  await Promise.all(
    streams.map(async (stream) => {
      const links: unknown[] = [];
      while (links.length < count) {
        const message = (await stream.next())!;
        if (message.event === 'notification') links.push(message.data.link);
      }
      expect(links).toEqual(Array.from({ length: count }, (_, at) => `/batches/bat_${at}`));
    }),
  );
  await Promise.all(streams.map((stream) => stream.close()));
  await slow.body!.cancel();
});
