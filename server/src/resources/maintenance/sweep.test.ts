import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { happen, told } from '../../../tests/notifications/acts.ts';
import { expectRefusal } from '../../../tests/problems.ts';
import { startTestService, type Tenant, type TestService } from '../../../tests/service.ts';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { makeIdSource, newId } from '../../lib/crypto/ids.ts';
import { expireEvents } from '../events/expire.ts';
import { startIngestion } from '../ingestions/start.ts';
import { expirePredictions } from '../predictions/expire.ts';
import { expireSessions } from '../sessions/expire.ts';
import { expireSftpFiles } from '../sftp-files/expire.ts';
import { sweep } from './sweep.ts';

const dayMs = 24 * 60 * 60 * 1000;
const predictionDays = 30;
const eventDays = 100;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ retentionDays: { batches: 0, predictions: predictionDays, events: eventDays } });
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
  expect(await keysUnder(root)).toEqual([expect.stringMatching(`^files/${kept}-put_`)]);
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

test('leaves a file waiting for a day after its address has expired: its bytes may be on their way', async () => {
  const { app } = service.service;
  const { ctx, client } = await service.tenant('Slow');
  const declared = await client.post('/v2/api/files/upload', {
    files: ['one.csv', 'two.csv'].map((path) => ({ path, content_type: 'text/csv', md5: 'XrY7u+Ae7tCTyyK7j1rNww==' })),
  });
  const ids: string[] = declared.body.files.map(({ id }: { id: string }) => id);
  for (const [at, hours] of [2, 25].entries())
    await tenant(app.db, ctx, (tx) =>
      tx
        .updateTable('files')
        .set({ expires_at: new Date(Date.now() - hours * 3_600_000) })
        .where('id', '=', ids[at])
        .execute(),
    );
  await sweep(app);
  const statuses = await Promise.all(ids.map(async (id) => (await client.get(`/v2/api/files/${id}`)).body.status));
  expect(statuses).toEqual(['awaiting_upload', 'deleted']);
  const trail = await tenant(app.db, ctx, (tx) =>
    tx.selectFrom('audit_entries').select('target_id').where('action', '=', 'batch-input-deletion').execute(),
  );
  expect(trail).toEqual([{ target_id: ids[1] }]);
});

test('looks again before it removes, goes on where a workspace fails, and stops when asked', async () => {
  const { app } = service.service;
  const tenants = [await service.tenant('Failing'), await service.tenant('Working')];
  const keys = tenants.map(({ ctx }) => `${ctx.organizationId}/${ctx.workspaceId}/lake/0123.parquet`);
  for (const key of keys) await app.storage.put(key, Buffer.from('left by work that died'));
  expect(await sweep(app, -1000, AbortSignal.abort())).toMatchObject({ objects: 0 });
  const failing = {
    ...app.storage,
    async delete(key: string) {
      if (key === keys[0]) throw new Error('away');
      return app.storage.delete(key);
    },
  };
  await sweep({ ...app, storage: failing }, -1000);
  const left = await Promise.all(keys.map((key) => app.storage.stat(key)));
  expect(left.map((object) => object !== null)).toEqual([true, false]);

  // An ingestion requested meanwhile may need the parts again.
  const { ctx, client } = tenants[0];
  const parts = Array.from({ length: 40 }, (_, at) => `${keys[0].replace('0123', String(1000 + at))}`);
  for (const key of parts) await app.storage.put(key, Buffer.from('left by work that died'));
  const file_id = await client.upload('a.csv', 'a\n1\n');
  let isAsked = false;
  const asking = {
    ...app.storage,
    async delete(key: string) {
      if (!isAsked) {
        isAsked = true;
        await startQuietly(ctx, file_id);
      }
      return app.storage.delete(key);
    },
  };
  const { objects } = await sweep({ ...app, storage: asking }, -1000);
  expect(objects).toBeGreaterThan(0);
  expect(objects).toBeLessThan(40);
});

/** A moment some days ago; with one more, older than what is kept for that many by less than two days. */
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);

/** A signal that aborts after it was looked at so many times. */
function abortedAfter(looks: number): AbortSignal {
  let seen = 0;
  const controller = new AbortController();
  return Object.defineProperty(controller.signal, 'aborted', { get: () => seen++ >= looks });
}

describe('predictions', () => {
  test('that are older than they are kept are removed, whoever goes on, and no others', async () => {
    const { app } = service.service;
    const [one, other] = [await service.tenant('Predicting'), await service.tenant('Too')];
    const old = await Promise.all([40, 35, 33, 32, 31.1].map((days) => insertPrediction(one.ctx, daysAgo(days))));
    const young = await insertPrediction(one.ctx, daysAgo(29.9));
    const theirs = await insertPrediction(other.ctx, daysAgo(1));
    expect(await expirePredictions(app, abortedAfter(1), 2)).toBe(2);
    expect(await predictionsOf(one.ctx)).toEqual([...old.slice(2), young]);
    expect(await expirePredictions(app, undefined, 2)).toBe(3);
    expect(await expirePredictions(app)).toBe(0);
    expect([await predictionsOf(one.ctx), await predictionsOf(other.ctx)]).toEqual([[young], [theirs]]);

    const gone = await one.client.get(`/v1/api/predictions/${old[0]}`);
    expectRefusal(gone, 404, 'not_found');
    expect(gone.body.detail).toContain(`kept for ${predictionDays} days`);
    const unknown = await one.client.get(`/v1/api/predictions/${newId('prd')}`);
    expect(unknown.body.detail).not.toContain('kept for');
    expect((await one.client.get(`/v1/api/predictions/${young}`)).status).toBe(200);
    const told = { before: expect.stringMatching(/T00:00:00.000Z$/) };
    expect(await expiriesOf(one.ctx, 'prediction-expiry')).toEqual([
      { ...told, predictions: 2 },
      { ...told, predictions: 2 },
      { ...told, predictions: 1 },
    ]);
    expect(await expiriesOf(other.ctx, 'prediction-expiry')).toEqual([]);
  });

  test('are kept for ever where no days are set', async () => {
    const { ctx } = await service.tenant('Keeping');
    const kept = await insertPrediction(ctx, daysAgo(4_000));
    const { app } = service.service;
    expect(await expirePredictions({ ...app, retentionDays: { ...app.retentionDays, predictions: 0 } })).toBe(0);
    expect(await predictionsOf(ctx)).toEqual([kept]);
  });
});

describe('events', () => {
  const readers = ['feed', 'notifications', 'webhooks'];

  test('that are older than they are kept and that all have read are removed, and numbers go on', async () => {
    const { app } = service.service;
    const [one, other] = [await service.tenant('Happening'), await service.tenant('Beside')];
    const [first, second] = ['bat_first', 'bat_second'].map((id) => ({ type: 'batch', id }));
    const happens = (target: typeof first, { ctx } = one) =>
      happen(service, ctx, 'batch-lifecycle', { status: 'queued' }, target);
    for (const target of [first, first, first, second]) await happens(target);
    await happens(first, other);
    await told(service);
    await fed();
    await service.owner.pool.query(
      `update events set created_at = now() - interval '102 days'
        where workspace_id = $1 and (resource_id = $2 or resource_id = $3 and sequence < 3)`,
      [one.ctx.workspaceId, second.id, first.id],
    );
    // They are not the first events of this database; those before them are as old.
    await service.owner.pool.query(
      `update events set created_at = now() - interval '102 days' where position <
      (select min(position) from events where workspace_id = $1 and resource_id = $2)`,
      [one.ctx.workspaceId, first.id],
    );
    expect(await expireEvents(app, [...readers, 'one that has read nothing'])).toBe(0);
    expect(await expireEvents(app, readers, abortedAfter(1), 1)).toBe(1);
    expect(await expireEvents(app, readers)).toBeGreaterThan(2);
    expect(await expireEvents(app, readers)).toBe(0);

    const listed = async ({ client }: Tenant) =>
      (await client.get('/v1/api/events?resource_type=batch')).body.data.map(
        ({ resource_id, sequence }: { resource_id: string; sequence: number }) => `${resource_id} ${sequence}`,
      );
    expect([await listed(one), await listed(other)]).toEqual([['bat_first 3'], ['bat_first 1']]);
    for (const target of [first, second]) await happens(target);
    await fed();
    expect(await listed(one)).toEqual(['bat_first 3', 'bat_first 4', 'bat_second 2']);
  });

  /** Resolves once all that has happened is in the feeds and handed to webhooks. */
  const fed = () =>
    vi.waitUntil(async () => {
      const { rows } = await service.owner.pool.query(
        `select from events where position is null or position >
        (select min(position) from event_readers where name = any ($1))`,
        [readers],
      );
      return rows.length === 0;
    });
});

describe('sessions, devices and files of SFTP', () => {
  const ids = async (table: string, where: string, value: string) =>
    (await service.owner.pool.query(`select id from ${table} where ${where} = $1 order by id`, [value])).rows.map(
      ({ id }) => id,
    );

  test('sessions that have long ended go, and devices that no session is of and no browser can name', async () => {
    const { app } = service.service;
    const { userId } = await service.tenant('Signing');
    const insert = async (name: string, seenDays: number, expiredDays: number | null) => {
      const of = [`dev_${name}`, userId, name, seenDays];
      await service.owner.pool.query(
        `insert into devices (id, user_id, token_hash, last_seen_at) values ($1, $2, $3, now() - $4 * interval '1 day')`,
        of,
      );
      if (expiredDays !== null)
        await service.owner.pool.query(
          `insert into sessions (id, user_id, device_id, token_hash, method, expires_at)
            values ('ses_' || $3, $2, $1, $3, 'password', now() - $4 * interval '1 day')`,
          [...of.slice(0, 3), expiredDays],
        );
    };
    await insert('old', 400, 31);
    await insert('left', 400, null);
    await insert('known', 360, 31);
    await insert('ended', 400, 29);
    await insert('open', 0, -1);
    expect(await expireSessions(app.db, undefined, 1)).toEqual({ sessions: 2, devices: 2 });
    expect(await expireSessions(app.db)).toEqual({ sessions: 0, devices: 0 });
    expect(await ids('sessions', 'user_id', userId)).toEqual(['ses_ended', 'ses_open']);
    expect(await ids('devices', 'user_id', userId)).toEqual(['dev_ended', 'dev_known', 'dev_open']);
  });

  test('files of SFTP go from the list half a year after they were removed', async () => {
    const { app } = service.service;
    const { ctx, userId } = await service.tenant('Sending');
    const of = [ctx.organizationId, ctx.workspaceId];
    await service.owner.pool.query(
      `insert into sftp_users (id, organization_id, workspace_id, user_id, name, login, public_keys)
        values ('sftp_1', $2, $3, $1, 'files', 'files', '{key}')`,
      [userId, ...of],
    );
    for (const [name, days] of [
      ['long', 181],
      ['lately', 179],
      ['here', null],
    ])
      await service.owner.pool.query(
        `insert into sftp_files (id, organization_id, workspace_id, sftp_user_id, name, status, bytes, removed_at)
          values ($1, $3, $4, 'sftp_1', $1, 'held', 0, now() - $2::int * interval '1 day')`,
        [name, days, ...of],
      );
    expect(await expireSftpFiles(app)).toBe(1);
    expect(await ids('sftp_files', 'workspace_id', ctx.workspaceId)).toEqual(['here', 'lately']);
  });
});

async function insertPrediction({ organizationId, workspaceId }: Context, at: Date): Promise<string> {
  const id = makeIdSource(() => at.getTime())('prd');
  await service.owner.kysely
    .insertInto('predictions')
    .values({
      ...{ id, organization_id: organizationId, workspace_id: workspaceId, model_id: 'mdl_1', version_id: 'ver_1' },
      ...{ snapshot_id: 'snp_1', as_of: at, inputs: '{}', outputs: '{}', request_id: 'req_1', created_at: at },
    })
    .execute();
  return id;
}

async function predictionsOf(ctx: Context): Promise<string[]> {
  const rows = await tenant(service.service.app.db, ctx, (tx) =>
    tx.selectFrom('predictions').select('id').orderBy('id').execute(),
  );
  return rows.map(({ id }) => id);
}

/** The data of the entries of an act in a workspace, in their order. */
async function expiriesOf(ctx: Context, action: string): Promise<unknown[]> {
  const rows = await tenant(service.service.app.db, ctx, (tx) =>
    tx.selectFrom('audit_entries').select('data').where('action', '=', action).orderBy('recorded_at').execute(),
  );
  return rows.map(({ data }) => data);
}

/** Creates an ingestion that is in no queue. */
function startQuietly(ctx: Context, file_id: string): Promise<string> {
  const { app } = service.service;
  const quiet = { ...app, queue: { ...app.queue, send: async () => {} } };
  return tenant(app.db, ctx, (tx) =>
    startIngestion(quiet, tx, ctx, { files: [{ file_id, table: 'a', mode: 'append' }] }),
  );
}
