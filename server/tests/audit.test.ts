/** The audit trail over HTTP: search, proofs and checkpoints. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../src/access/context.ts';
import { system, tenant } from '../src/access/transactions.ts';
import { provesConsistency, provesInclusion } from '../src/lib/crypto/merkle.ts';
import { readPublicKey } from '../src/lib/crypto/signed-note.ts';
import { type AuditEntry, auditColumns, auditEntry } from '../src/trail/audit-entry.ts';
import { type AuditAction, auditActions } from '../src/trail/catalog.ts';
import { readCheckpoint } from '../src/trail/checkpoint.ts';
import { columnTexts, insertText } from '../src/trail/insert.ts';
import { recordAs } from '../src/trail/record.ts';
import { sealEntries } from '../src/trail/seal.ts';
import { type Client, startTestService, type Tenant, type TestService } from './service.ts';

let service: TestService;
let one: Tenant;
beforeAll(async () => {
  // The service runs without a worker: the test seals itself.
  service = await startTestService({}, 'api');
  one = await service.tenant('Trail');
});
afterAll(() => service.close());

const path = '/v1/api/audit-entries';
const checkpoints = '/v1/api/audit-checkpoints';
const seal = () => sealEntries(service.service.app.db, service.service.app.keys.audit, { waits: true });
// biome-ignore lint/suspicious/noExplicitAny: entries of every shape
type Entry = any;

/** All entries that a query leads to, page by page. */
async function all(client: Client, query: string, limit = 200, between = async () => {}): Promise<Entry[]> {
  const found: Entry[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const reply = await client.get(`${path}?limit=${limit}${query}${cursor && `&cursor=${cursor}`}`);
    expect(reply.status, reply.text).toBe(200);
    found.push(...reply.body.data);
    cursor = reply.body.next_cursor;
    await between();
  }
  return found;
}

/** An act of somebody, as its transaction would record it. */
function happen(ctx: Context, action: AuditAction, target: string, outcome: 'denied' | 'failed' = 'failed') {
  return tenant(service.service.app.db, ctx, (tx) => recordAs(tx, ctx, action, { type: 'thing', id: target }, outcome));
}

async function insert(entry: AuditEntry): Promise<void> {
  await service.owner.pool.query(insertText('audit_entries', auditColumns, 1), columnTexts(auditColumns, [entry]));
}

test('E70: each filter alone, and several together, find what a plain look at all entries finds', async () => {
  const { ctx, client } = await service.tenant('Filters');
  const pick = <T>(values: readonly T[], at: number): T => values[at % values.length];
  const actions = ['api-key-creation', 'api-key-deletion', 'login', 'batch-request', 'batch-lifecycle'] as const;
  for (let at = 0; at < 90; at++) {
    const actor = {
      type: pick(['user', 'api_key', 'system'] as const, at),
      id: pick(['usr_1', 'usr_2', null], at >> 1),
      label: '',
    };
    const doer = {
      ...{ ...ctx, actor, requestId: `req_${at % 7}`, userAgent: null },
      ...{ channel: pick(['api', 'dashboard'] as const, at >> 2), ip: pick(['10.0.0.1', '2001:db8::1', null], at) },
    };
    const entry = auditEntry(
      doer,
      pick(actions, at),
      { type: pick(['batch', 'key'], at), id: `t${at % 5}` },
      {},
      'failed',
    );
    const data = { status: pick(['queued', 'running'], at), rows: at % 3, 'a=b': 'c=d' };
    await insert({ ...entry, data, outcome: pick(['succeeded', 'denied', 'failed'] as const, at) });
  }
  const everything = await all(client, '');
  const moments = everything.map(({ recorded_at }) => recorded_at).sort();
  const [from, to] = [moments[20], moments[70]];
  type Filter = readonly [query: string, passes: (entry: Entry) => boolean];
  const filters: Filter[] = [
    [`from=${from}`, (entry) => entry.recorded_at >= from],
    [`to=${to}`, (entry) => entry.recorded_at < to],
    ['action=api-key-creation', (entry) => entry.action === 'api-key-creation'],
    ['action=api-key-*', (entry) => entry.action.startsWith('api-key-')],
    ['without=login', (entry) => entry.action !== 'login'],
    ['class=data', (entry) => auditActions[entry.action as AuditAction].audit === 'data'],
    ['outcome=denied', (entry) => entry.outcome === 'denied'],
    ['actor_id=usr_1', (entry) => entry.actor.id === 'usr_1'],
    ['actor_type=api_key', (entry) => entry.actor.type === 'api_key'],
    ['target_type=batch', (entry) => entry.target.type === 'batch'],
    ['target_id=t3', (entry) => entry.target.id === 't3'],
    ['about=t3', (entry) => entry.target.id === 't3'],
    ['ip=2001:db8::1', (entry) => entry.context.ip === '2001:db8::1'],
    ['request_id=req_2', (entry) => entry.context.request_id === 'req_2'],
    ['channel=dashboard', (entry) => entry.context.channel === 'dashboard'],
    ['data=status=queued', (entry) => entry.data.status === 'queued'],
    ['data=rows=2', (entry) => entry.data.rows === 2],
  ];
  const pairs = filters.flatMap((a, at) =>
    filters
      .slice(at + 1)
      .filter((b) => nameOf(a) !== nameOf(b))
      .map((b) => [a, b]),
  );
  const asked = [...filters.map((filter) => [filter]), ...pairs.filter((_, at) => at % 6 === 0)];
  let found = 0;
  for (const some of asked) {
    const query = some.map(([text]) => `&${text.replace(':', '%3A')}`).join('');
    const told = await all(client, query);
    // What has been read meanwhile is recorded, too.
    const ids = told.filter(({ action }) => action !== 'audit-read').map(({ id }) => id);
    const wanted = everything.filter(
      (entry) => entry.action !== 'audit-read' && some.every(([, passes]) => passes(entry)),
    );
    expect(ids, query).toEqual(wanted.map(({ id }) => id));
    found += ids.length;
  }
  expect(found).toBeGreaterThan(400);
});

const nameOf = ([text]: readonly [string, unknown]): string => text.split('=')[0];

test('E70: a cursor leads through all that was there, newest first, while more is added', async () => {
  const { ctx, client } = await service.tenant('Cursor');
  for (let at = 0; at < 40; at++) await happen(ctx, 'login', `before${at}`);
  let at = 0;
  const read = await all(client, '&action=login', 7, () => happen(ctx, 'login', `meanwhile${at++}`));
  expect(read.map(({ target }) => target.id)).toEqual(Array.from({ length: 40 }, (_, i) => `before${39 - i}`));
});

test.each([
  'action=%',
  'action=api_key',
  'from=yesterday',
  'to=2026',
  'outcome=maybe',
  'data=x',
  'q=1',
  'limit=0',
  'class=x',
])('the filter %s is refused', async (query) => {
  const { status, body } = await one.client.get(`${path}?${query}`);
  expect([status, body.code]).toEqual([400, 'invalid_parameter']);
});

test('E71: who is of another workspace finds nothing, and each reading is recorded with who read', async () => {
  const two = await service.tenant('Other');
  const { id } = (await all(one.client, ''))[0];
  await seal();
  for (const place of [`${path}/${id}`, `${path}/${id}/proof`]) {
    expect((await one.client.get(place)).status).toBe(200);
    const { status, body } = await two.client.get(place);
    expect([status, body.code]).toEqual([404, 'not_found']);
  }
  const here = one.ctx.workspaceId;
  expect(await all(two.client, `&target_id=${here}`)).toEqual([]);
  expect((await all(two.client, '')).every((entry) => entry.workspace_id === two.ctx.workspaceId)).toBe(true);
  const auditor = await one.as('auditor');
  const asked = await auditor.get(`${path}?action=login&limit=1`);
  const byRequest = await all(one.client, `&request_id=${asked.headers.get('request-id')}`);
  expect(byRequest).toEqual([
    expect.objectContaining({
      ...{ action: 'audit-read', outcome: 'succeeded', class: 'admin' },
      actor: expect.objectContaining({ type: 'api_key', id: auditor.keyId }),
      target: { type: 'workspace', id: here },
      data: { filter: ['action=login'] },
    }),
  ]);
  const member = await one.as('developer');
  const refused = await member.get(path);
  expect(refused.status).toBe(403);
  expect(await all(one.client, `&request_id=${refused.headers.get('request-id')}`)).toMatchObject([
    { action: 'access-denial', outcome: 'denied', actor: { id: member.keyId } },
  ]);
});

test('E71: what is done in the organization as a whole is read there, and not in its workspaces', async () => {
  const creator = await one.signedIn('creator', 'organization');
  const made = await creator.send('PATCH', '/v1/api/organization', { body: { name: 'Renamed' } });
  expect(made.status, made.text).toBe(200);
  const query = `action=organization-update`;
  const whole = await creator.get(`/v1/api/organization/audit-entries?${query}`);
  expect(whole.body.data, whole.text).toMatchObject([{ workspace_id: null, actor: { id: creator.userId } }]);
  expect(await all(one.client, `&${query}`)).toEqual([]);
  const { id } = whole.body.data[0];
  await seal();
  const proof = await creator.get(`/v1/api/organization/audit-entries/${id}/proof`);
  expect(proof.body.checkpoint.tree, proof.text).toBe(one.ctx.organizationId);
  expect((await one.client.get(`${path}/${id}`)).status).toBe(404);
  expect((await creator.get('/v1/api/organization/audit-checkpoints')).body.data[0].tree).toBe(one.ctx.organizationId);
});

test('E69: the moment of an entry is that of the database, whatever a request says', async () => {
  const clock = async () =>
    (
      await service.owner.pool.query(
        'select to_char(clock_timestamp() at time zone \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') as at',
      )
    ).rows[0].at;
  const before = await clock();
  const files = [{ path: 'a.csv', content_type: 'text/csv', md5: `${'A'.repeat(22)}==` }];
  const old = '2001-01-01T00:00:00Z';
  const headers = { date: old, 'x-occurred-at': old, 'recorded-at': old };
  const told = await one.client.post('/v2/api/files/upload', { files }, headers);
  expect(told.status, told.text).toBe(201);
  for (const name of ['recorded_at', 'occurred_at'])
    expect((await one.client.post('/v2/api/files/upload', { files, [name]: old })).status).toBe(422);
  const after = await clock();
  const [entry, ...rest] = await all(one.client, `&request_id=${told.headers.get('request-id')}`);
  expect(rest).toEqual([]);
  expect(entry.recorded_at >= before && entry.recorded_at <= after, entry.recorded_at).toBe(true);
});

test('E65: no address changes the trail', async () => {
  const creator = await one.signedIn('creator', 'workspace');
  const { id } = (await all(one.client, ''))[0];
  for (const client of [one.client, creator])
    for (const method of ['PUT', 'PATCH', 'DELETE', 'POST'])
      for (const place of [path, `${path}/${id}`, `${path}/${id}/proof`, checkpoints]) {
        const { status, text } = await client.send(method, place, { body: {} });
        expect(status, `${method} ${place}: ${text}`).toBe(405);
      }
});

test('E65: neither role of the service changes entries, leaves or checkpoints', async () => {
  const { db } = service.service.app;
  for (const table of ['audit_entries', 'audit_leaves', 'audit_nodes', 'audit_checkpoints', 'audit_tombstones'])
    for (const statement of [`update ${table} set organization_id = ''`, `delete from ${table}`, `truncate ${table}`]) {
      const sent = table === 'audit_entries' ? statement : statement.replace('organization_id', 'tree');
      for (const role of ['lastro_app', 'lastro_system']) {
        const run = db.pool.query(`begin; set local role ${role}; ${sent}; rollback`);
        await expect(run, `${role}: ${sent}`).rejects.toMatchObject({ code: '42501' });
      }
    }
});

test('an entry is proved to be in each later tree, and each tree to have grown from each before', async () => {
  const { ctx, client } = await service.tenant('Proofs');
  const key = (await service.anonymous.get('/v1/api/audit-key')).body;
  const verifier = readPublicKey(key.public_key)!;
  expect(verifier.keyId).toBe(key.key_id);
  await seal();
  for (const count of [1, 5, 300, 2, 260]) {
    await system(service.service.app.db, 'test', async (tx) => {
      for (let at = 0; at < count; at++)
        await recordAs(tx, ctx, 'login', { type: 'x', id: `${count}.${at}` }, 'failed');
    });
    await seal();
  }
  const { data } = (await client.get(checkpoints)).body;
  const heads = data.map(({ note, ...told }: Entry) => {
    const checkpoint = readCheckpoint(verifier.open(note)!)!;
    expect(told).toMatchObject({ size: checkpoint.size, root: checkpoint.root.toString('hex'), tree: ctx.workspaceId });
    return checkpoint;
  });
  const newest = heads[0];
  expect(newest.size).toBeGreaterThan(512);
  const entries = (await all(client, '')).filter(({ leaf_index }) => leaf_index !== null);
  expect(entries.map(({ leaf_index }) => leaf_index)).toEqual(entries.map((_, at) => newest.size - 1 - at));
  for (const entry of entries.filter((_, at) => at % 37 === 0))
    for (const { size, root } of heads) {
      const reply = await client.get(`${path}/${entry.id}/proof?size=${size}`);
      expect(reply.status, reply.text).toBe(entry.leaf_index < size ? 200 : 409);
      if (reply.status !== 200) continue;
      const proved = { index: entry.leaf_index, size, path: reply.body.path.map(fromHex) };
      expect(provesInclusion(fromHex(reply.body.leaf_hash), proved, root)).toBe(true);
    }
  for (const older of heads)
    for (const newer of heads.filter(({ size }: Entry) => size >= older.size)) {
      const reply = await client.get(`${checkpoints}/consistency?older=${older.size}&newer=${newer.size}`);
      expect(provesConsistency(older, newer, reply.body.path.map(fromHex)), reply.text).toBe(true);
    }
  expect((await client.get(`${checkpoints}/consistency?older=999999`)).status).toBe(404);
  expect((await client.get(`${checkpoints}/consistency?older=${newest.size}&newer=${heads.at(-1).size}`)).status).toBe(
    409,
  );
  const fresh = (await client.get(`${path}?limit=1`)).body.data[0];
  expect(fresh.leaf_index).toBeNull();
  expect((await client.get(`${path}/${fresh.id}/proof`)).body).toMatchObject({ status: 409, code: 'conflict' });
});

const fromHex = (text: string) => Buffer.from(text, 'hex');
