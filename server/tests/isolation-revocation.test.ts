/** Nothing is answered after a right has ended, though prediction keys are recognised from memory. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as ask } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { createKey } from '../src/resources/api-keys/create.ts';
import { revokeKey } from '../src/resources/api-keys/revoke.ts';
import { expectRefusal } from './problems.ts';
import { endDuringPredictions, endings, openStage, type Stage } from './revocation.ts';
import type { Client } from './service.ts';

const rounds = 2;
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
    first.client(secret).post(`/v1/api/prediction/${world.model}/${world.alias}`, { customer_id: `${world.canary}C1` });
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
  expect((await developer.post(path, { customer_id: `${world.canary}C1` })).status).toBe(200);
  await endings['the role is lowered'].end(stage, { id: developer.keyId, userId: developer.userId });
  const reply = await developer.post(path, { customer_id: `${world.canary}C1` });
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

describe.each(Object.entries(endings))('once %s', (_, { code, end, restore }) => {
  test('a warm key is told of nothing else, whatever is wrong with what it asks', async () => {
    const { first, tenant, world } = stage;
    const developer = await tenant.as('developer');
    const key = { id: developer.keyId, userId: developer.userId };
    const path = `/v1/api/prediction/${world.model}`;
    const customer = { customer_id: `${world.canary}C1` };
    expect((await developer.post(`${path}/${world.alias}`, customer)).status).toBe(200);
    const asked: [string, string, string][] = [
      ['not_found', `${path}/no-such-alias`, JSON.stringify(customer)],
      ['unknown_input', `${path}/${world.alias}`, JSON.stringify({ ...customer, colour: 'red' })],
      ['missing_input', `${path}/${world.alias}`, '{}'],
      ['schema_mismatch', `${path}/${world.alias}`, '[]'],
      ['malformed_json', `${path}/${world.alias}`, '{'],
      ['invalid_parameter', `${path}/${world.alias}?include=secrets`, JSON.stringify(customer)],
      ['invalid_parameter', `${path}/${world.alias}?colour=red`, JSON.stringify(customer)],
    ];
    const send = ([, path, raw]: [string, string, string]) =>
      developer.send('POST', path, { raw, headers: { 'content-type': 'application/json' } });
    for (const one of asked) expect((await send(one)).body.code).toBe(one[0]);
    await end(stage, key);
    const replies = [];
    for (const one of asked) replies.push(await send(one));
    await restore?.(stage, key);
    for (const reply of replies) {
      expect(reply.body.code, reply.text).toBe(code);
      expect(await entriesOf(first, reply.headers.get('request-id')!)).toHaveLength(
        code === 'permission_denied' ? 1 : 0,
      );
    }
  });
});

/** Sends a request whose body stops half way, runs `meanwhile`, and sends the rest. */
async function dripping(
  url: string,
  { method, headers, bytes }: { method: string; headers: Record<string, string>; bytes: Buffer },
  meanwhile: () => Promise<unknown>,
): Promise<{ status: number; body: { code?: string } }> {
  const request = ask(url, { method, headers: { ...headers, expect: '100-continue', 'content-length': bytes.length } });
  const answered = new Promise<{ status: number; body: { code?: string } }>((resolve, reject) => {
    request.on('error', reject).on('response', async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode!, body: JSON.parse(text) });
    });
  });
  // Its head has been read then.
  await once(request, 'continue');
  const half = bytes.length >> 1;
  request.write(bytes.subarray(0, half));
  await meanwhile();
  request.end(bytes.subarray(half));
  return answered;
}

test('a body that drips in does not outlive the right to send it', async () => {
  const { first, tenant } = stage;
  const { db } = first.service.app;
  const { id, secret } = await createKey(db, tenant.ctx, { name: 'slow', userId: tenant.userId });
  const bytes = Buffer.from(JSON.stringify({ files: [{ path: 'a.csv', content_type: 'text/csv', md5: md5Of('a') }] }));
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const reply = await dripping(`${first.url}/v2/api/files/upload`, { method: 'POST', headers, bytes }, () =>
    revokeKey(db, tenant.ctx, id),
  );
  expect(reply).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
});

const md5Of = (text: string) => createHash('md5').update(text).digest('base64');

async function entriesOf({ service }: Stage['first'], requestId: string) {
  return system(service.app.db, 'test', (tx) =>
    tx.selectFrom('audit_entries').selectAll().where('request_id', '=', requestId).execute(),
  );
}

describe('an address that was signed', () => {
  const told: Readonly<Record<string, string>> = { unauthenticated: 'signature_expired' };
  const bytes = 'a,b\n1,2\n';
  const declare = async (client: Client) => {
    const files = [{ path: 'late.csv', content_type: 'text/csv', md5: md5Of(bytes) }];
    const reply = await client.post('/v2/api/files/upload', { files });
    return reply.body.files[0] as { id: string; upload_url: string; headers: Record<string, string> };
  };
  const resultOf = async (client: Client) =>
    (await client.get(`/v2/api/batches/${stage.world.batch}/result`)).body.download_url as string;

  test.each(Object.entries(endings))('is good as long as the right of whoever asked for it: %s', async (_, ending) => {
    const { first, tenant } = stage;
    const creator = await tenant.as('creator');
    const key = { id: creator.keyId, userId: creator.userId };
    const { upload_url, headers } = await declare(creator);
    const download = await resultOf(creator);
    expect((await first.anonymous.get(download)).status).toBe(200);
    await ending.end(stage, key);
    const put = await first.anonymous.send('PUT', upload_url, { raw: bytes, headers });
    const got = await first.anonymous.get(download);
    await ending.restore?.(stage, key);
    expect(put.body.code, put.text).toBe(told[ending.code] ?? ending.code);
    // What is archived can be read.
    if (ending.code === 'workspace_archived') expect(got.status, got.text).toBe(200);
    else expect(got.body.code, got.text).toBe(told[ending.code] ?? ending.code);
  });

  test('takes no file whose sender lost the right while it came in', async () => {
    const { first, tenant } = stage;
    const creator = await tenant.as('creator');
    const { id, upload_url, headers } = await declare(creator);
    const reply = await dripping(upload_url, { method: 'PUT', headers, bytes: Buffer.from(bytes) }, () =>
      revokeKey(first.service.app.db, tenant.ctx, creator.keyId),
    );
    expect(reply).toMatchObject({ status: 403, body: { code: 'signature_expired' } });
    expect((await tenant.client.get(`/v2/api/files/${id}`)).body.status).toBe('awaiting_upload');
  });

  test('is used under the name of the key that it was given to', async () => {
    const { first, tenant } = stage;
    const creator = await tenant.as('creator');
    const reply = await first.anonymous.get(await resultOf(creator));
    const [entry] = await entriesOf(first, reply.headers.get('request-id')!);
    expect(entry).toMatchObject({
      action: 'batch-result-download',
      actor_id: creator.keyId,
      actor_label: 'creator key',
    });
  });
});
