/** Nothing is answered after a right has ended, though prediction keys are recognised from memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../src/resources/api-keys/create.ts';
import { revokeKey } from '../src/resources/api-keys/revoke.ts';
import { system } from '../src/tenancy/doors.ts';
import { expectRefusal } from './problems.ts';
import { endDuringPredictions, endings, openStage, type Stage } from './revocation.ts';

const rounds = 20;
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

test.each(Object.entries(endings))(`%s while predictions run, ${rounds} times`, async (_, ending) => {
  for (let round = 0; round < rounds; round++) await endDuringPredictions(stage, ending);
});

test('a warm key ends when it expires', async () => {
  const { first, tenant, world } = stage;
  const expiresAt = new Date(Date.now() + 1_500);
  const { secret } = await createKey(first.service.app.db, tenant.ctx, {
    name: 'brief',
    userId: tenant.userId,
    expiresAt,
  });
  const ask = () =>
    first.client(secret).post(`/v1/api/prediction/${world.model}/${world.alias}`, { customer_id: 'stageC1' });
  expect((await ask()).status).toBe(200);
  for (;;) {
    const isOver = Date.now() >= expiresAt.getTime();
    const reply = await ask();
    if (reply.status !== 200) {
      expectRefusal(reply, 401, 'unauthenticated');
      break;
    }
    expect(isOver).toBe(false);
    await sleep(20);
  }
});

test('a stream that is open ends with the right to it', async () => {
  const { first, tenant, world } = stage;
  const { db } = first.service.app;
  const { id, secret } = await createKey(db, tenant.ctx, { name: 'watcher', userId: tenant.userId });
  const setStatus = (status: string) =>
    system(db, 'test', (tx) => tx.updateTable('training_runs').set({ status }).where('id', '=', world.run).execute());
  await setStatus('running');
  const headers = { authorization: `Bearer ${secret}` };
  const answer = await fetch(`${first.url}/v1/api/training-runs/${world.run}/events`, { headers });
  const reader = answer.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^event: run/);
  await revokeKey(db, tenant.ctx, id);
  await setStatus('succeeded');
  const rest = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) rest.push(part.value);
  expect(rest).toEqual([]);
});

test('a refusal that comes late leaves an entry like any other', async () => {
  const { first, tenant, world } = stage;
  const developer = await tenant.as('developer');
  const path = `/v1/api/prediction/${world.model}/${world.alias}`;
  expect((await developer.post(path, { customer_id: 'stageC1' })).status).toBe(200);
  await endings['the role is lowered'].end(stage, { id: developer.keyId, userId: developer.userId });
  const reply = await developer.post(path, { customer_id: 'stageC1' });
  expectRefusal(reply, 403, 'permission_denied');
  const entries = await system(first.service.app.db, 'test', (tx) =>
    tx
      .selectFrom('audit_entries')
      .select(['action', 'outcome', 'target_id'])
      .where('request_id', '=', reply.headers.get('request-id')!)
      .execute(),
  );
  const route = 'POST /v1/api/prediction/{model_id}/{name}';
  expect(entries).toContainEqual({ action: 'access-denial', outcome: 'denied', target_id: route });
});
