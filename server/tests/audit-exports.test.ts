/** Exports of the audit trail, and what the verifier finds in them. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditVerifyCommand } from '../src/commands/audit-verify.ts';
import { append, type Growing, rootOf } from '../src/lib/crypto/merkle.ts';
import { openNoteSigner } from '../src/lib/crypto/signed-note.ts';
import type { AuditEntry } from '../src/trail/audit-entry.ts';
import { auditColumns, auditEntry } from '../src/trail/audit-entry.ts';
import type { Manifest } from '../src/trail/exported.ts';
import { columnTexts, insertText } from '../src/trail/insert.ts';
import { sealEntries } from '../src/trail/seal.ts';
import { signTombstone } from '../src/trail/tombstone.ts';
import { runBeside } from './beside.ts';
import { type Client, startTestService, type Tenant, type TestService } from './service.ts';

let service: TestService;
const folder = mkdtempSync(join(tmpdir(), 'lastro-audit-'));
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const path = '/v1/api/audit-exports';
const seal = () => sealEntries(service.service.app.db, service.service.app.keys.audit, { waits: true });
let names = 0;

/** A workspace with entries that were sealed a few at a time. */
async function trail(entries: number, rounds = 4): Promise<Tenant> {
  const made = await service.tenant(`Exports ${++names}`);
  for (let round = 0; round < rounds; round++) {
    await leave(made, Math.ceil(entries / rounds), round);
    await seal();
  }
  return made;
}

async function leave({ ctx }: Tenant, count: number, round = 0, some: Partial<AuditEntry> = {}): Promise<void> {
  const entries = Array.from({ length: count }, (_, at) => ({
    ...auditEntry(ctx, 'login', { type: 'user', id: `${round}.${at}` }, { at, 'é"': [null, 1.5, '\u2028'] }, 'failed'),
    ...some,
  }));
  await asSuperuser(insertText('audit_entries', auditColumns, 1), columnTexts(auditColumns, entries));
}

const asSuperuser = (text: string, values: unknown[] = []) => service.owner.pool.query(text, values);

/** As whoever owns the database may write, past every trigger. */
async function tamper(...statements: string[]): Promise<void> {
  await asSuperuser(`begin; set local session_replication_role = replica; ${statements.join('; ')}; commit`);
}

type Exported = { readonly folder: string; readonly entries: string; readonly manifest: string; readonly id: string };

/** Asks for an export and downloads it into a folder of its own. */
async function download(client: Client, asked: object = {}, at = path): Promise<Exported> {
  const { body: made, status, text } = await client.post(at, asked);
  expect(status, text).toBe(202);
  const done = await client.finished(`${at}/${made.id}`);
  expect(done.body, done.text).toMatchObject({ status: 'succeeded', progress: 1, failure: null });
  const into = join(folder, made.id);
  mkdirSync(into);
  const files = { entries: `${made.id}.${made.format}`, manifest: `${made.id}.manifest.json` };
  for (const [part, name] of Object.entries(files)) {
    const sent = await client.get(`${at}/${made.id}/${part}`);
    expect(sent.status, sent.text).toBe(200);
    writeFileSync(join(into, name), sent.text);
  }
  return { folder: into, entries: join(into, files.entries), manifest: join(into, files.manifest), id: made.id };
}

async function verify(...args: string[]): Promise<{ code: number; text: string }> {
  let text = '';
  const code = await auditVerifyCommand(args, { write: (line) => (text += line) });
  return { code, text };
}

/** A checkpoint as somebody keeps it, by `jq -r`, which ends the line of the note once more. */
async function keep(client: Client): Promise<string> {
  const { body } = await client.get('/v1/api/audit-checkpoints?limit=1');
  const file = join(folder, `kept-${++names}`);
  writeFileSync(file, `${body.data[0].note}\n`);
  return file;
}

const manifestOf = ({ manifest }: Exported): Manifest => JSON.parse(readFileSync(manifest, 'utf8'));

test.each(['ndjson', 'csv'])('E67: an export as %s is verified, by a kept checkpoint and key too', async (format) => {
  const made = await trail(600);
  const kept = await keep(made.client);
  await leave(made, 3, 9);
  const exported = await download(made.client, { format });
  const { entries, checkpoints } = manifestOf(exported);
  // What was recorded before the export was asked for is in it.
  expect(entries.end_index).toBeGreaterThan(603);
  expect(checkpoints.length).toBeGreaterThan(3);
  const key = join(folder, `key-${++names}`);
  writeFileSync(key, (await service.anonymous.get('/v1/api/audit-key')).body.public_key);
  for (const args of [[exported.folder], [exported.manifest, '--checkpoint', kept, '--public-key', key]]) {
    const { code, text } = await verify(...args);
    expect([code, text]).toEqual([0, expect.stringContaining(`leaves 0 to ${entries.end_index - 1}`)]);
  }
});

test('E67: an export resumes by Range, and no cell of CSV is a formula', async () => {
  const made = await trail(10);
  const formulas = ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\t=x', '\r=x', '＝1', 'a,"b"\r\nc'];
  for (const formula of formulas) {
    const actor = { type: 'user', id: formula, label: formula } as const;
    await leave(made, 1, 0, { actor, target: { type: formula, id: formula }, userAgent: formula });
  }
  const exported = await download(made.client, { format: 'csv' });
  const whole = readFileSync(exported.entries);
  const at = `${path}/${exported.id}/entries`;
  const first = await made.client.send('GET', at, { headers: { range: 'bytes=0-99' } });
  const rest = await made.client.send('GET', at, { headers: { range: 'bytes=100-' } });
  expect([first.status, rest.status]).toEqual([206, 206]);
  expect(Buffer.from(first.text + rest.text)).toEqual(whole);
  const same = await made.client.send('GET', at, { headers: { 'if-none-match': first.headers.get('etag')! } });
  expect(same.status).toBe(304);
  for (const formula of formulas.slice(0, -1)) {
    expect(whole.toString()).not.toContain(`,${formula},`);
    expect(whole.toString()).toMatch(new RegExp(`,"?'${formula.replace(/[+()]/g, '\\$&')}"?,`));
  }
  expect((await verify(exported.folder)).code).toBe(0);
  const other = await trail(1);
  for (const place of [at, at.replace('entries', 'manifest'), `${path}/${exported.id}`])
    expect((await other.client.get(place)).status).toBe(404);
});

test('an export from a moment begins at a checkpoint, and is verified without what was before', async () => {
  const made = await trail(900, 3);
  const { data } = (await made.client.get('/v1/api/audit-checkpoints')).body;
  const [newest, middle] = [data[0], data[1]];
  const exported = await download(made.client, { from: middle.at });
  expect(manifestOf(exported)).toMatchObject({ from: middle.at, entries: { first_index: middle.size } });
  expect(manifestOf(exported).before.length).toBeGreaterThan(0);
  expect((await verify(exported.folder)).code).toBe(0);
  const file = join(folder, `old-${++names}`);
  writeFileSync(file, JSON.stringify(newest));
  expect((await verify(exported.folder, '--checkpoint', file)).code).toBe(0);
  writeFileSync(file, data.at(-1).note);
  expect(await verify(exported.folder, '--checkpoint', file)).toMatchObject({ code: 1, text: /begins after/ });
  const short = await download(made.client, { to: middle.at });
  expect(manifestOf(short).entries.end_index).toBe(middle.size);
  writeFileSync(file, newest.note);
  expect((await verify(short.folder)).code).toBe(0);
  expect((await verify(short.folder, '--checkpoint', file)).code).toBe(3);
  for (const asked of [{ from: 'yesterday' }, { format: 'xml' }, { until: newest.at }])
    expect((await made.client.post(path, asked)).status).toBe(422);
});

test('an export of what is done in the organization as a whole has a tree of its own', async () => {
  const made = await trail(1);
  const creator = await made.signedIn('creator', 'organization');
  await creator.send('PATCH', '/v1/api/organization', { body: { name: 'Renamed' } });
  const exported = await download(creator, {}, '/v1/api/organization/audit-exports');
  expect(manifestOf(exported)).toMatchObject({ tree: made.ctx.organizationId, workspace_id: null });
  expect((await verify(exported.folder)).code).toBe(0);
  expect((await creator.get(path)).body.data).toEqual([]);
});

const leaf = (tree: string, index: number) =>
  `(select entry_id from audit_leaves where tree = '${tree}' and leaf_index = ${index})`;

test.each([
  [
    'edits an entry',
    2,
    (tree: string) => [`update audit_entries set outcome = 'succeeded' where id = ${leaf(tree, 7)}`],
  ],
  [
    'changes its moment',
    2,
    (tree: string) => [
      `update audit_leaves set recorded_at = recorded_at + interval '1 us' where entry_id = ${leaf(tree, 7)}`,
      `update audit_entries set recorded_at = recorded_at + interval '1 us' where id = ${leaf(tree, 7)}`,
    ],
  ],
  [
    'puts another name on it',
    2,
    (tree: string) => [`update audit_entries set actor_label = 'Eve' where id = ${leaf(tree, 7)}`],
  ],
  ['deletes an entry', 3, (tree: string) => [`delete from audit_entries where id = ${leaf(tree, 7)}`]],
  [
    'deletes an entry and its leaf',
    3,
    (tree: string) => [
      `delete from audit_entries where id = ${leaf(tree, 7)}`,
      `delete from audit_leaves where tree = '${tree}' and leaf_index = 7`,
    ],
  ],
  [
    'swaps two entries',
    4,
    (tree: string) => [
      `create temp table pair on commit drop as select leaf_index, entry_id, recorded_at from audit_leaves where tree = '${tree}' and leaf_index in (7, 9)`,
      `update audit_leaves set entry_id = 'x' where tree = '${tree}' and leaf_index = 7`,
      `update audit_leaves l set entry_id = p.entry_id, recorded_at = p.recorded_at from pair p where l.tree = '${tree}' and l.leaf_index = 9 and p.leaf_index = 7`,
      `update audit_leaves l set entry_id = p.entry_id, recorded_at = p.recorded_at from pair p where l.tree = '${tree}' and l.leaf_index = 7 and p.leaf_index = 9`,
    ],
  ],
  [
    'inserts an old entry',
    8,
    (tree: string) => [
      `insert into audit_entries (id, organization_id, workspace_id, action, outcome, actor_type, actor_label, channel, recorded_at)
      select 'aud_forged', organization_id, workspace_id, action, 'succeeded', 'user', 'Ana', 'api', recorded_at - interval '1 hour' from audit_entries where id = ${leaf(tree, 7)}`,
    ],
  ],
  [
    'forges a checkpoint',
    5,
    (tree: string) => [`update audit_checkpoints set note = replace(note, 'at 2', 'at 1') where tree = '${tree}'`],
  ],
])('E66: who %s as a superuser is found with code %i', async (what, code, statements) => {
  const made = await trail(40);
  await tamper(...statements(made.ctx.workspaceId));
  const exported = await download(made.client);
  const told = await verify(exported.folder);
  expect(told.code, `${what}: ${told.text}`).toBe(code);
});

test('E66: who rewrites the tail, and has it sealed and signed again, is found by an older checkpoint', async () => {
  const made = await trail(40);
  const kept = await keep(made.client);
  const tree = made.ctx.workspaceId;
  // Back to an empty tree: the service itself seals the edited entries again, and signs.
  await tamper(
    `update audit_entries set outcome = 'succeeded' where id = ${leaf(tree, 7)}`,
    `insert into audit.unsealed (tree, entry_id, recorded_at) select tree, entry_id, recorded_at from audit_leaves where tree = '${tree}' order by leaf_index`,
    ...['audit_leaves', 'audit_nodes', 'audit_checkpoints', 'audit_trees'].map(
      (table) => `delete from ${table} where tree = '${tree}'`,
    ),
  );
  await seal();
  const exported = await download(made.client);
  expect((await verify(exported.folder)).code).toBe(0);
  const told = await verify(exported.folder, '--checkpoint', kept);
  expect(told.code, told.text).toBe(7);
});

test('a tombstone is held against the leaves that it is of, and one that the key has not signed is no tombstone', async () => {
  const { audit } = service.service.app.keys;
  const forger = openNoteSigner(audit.name, Buffer.alloc(32, 9));
  const shifted = [(hashes: Buffer[]) => hashes.slice(1), (hashes: Buffer[]) => hashes.toReversed()];
  for (const [code, signer, last, seenAs] of [
    [0, audit, 9, (hashes: Buffer[]) => hashes],
    [5, forger, 9, (hashes: Buffer[]) => hashes],
    [3, audit, 8, (hashes: Buffer[]) => hashes],
    ...shifted.map((seenAs) => [7, audit, 9, seenAs] as const),
  ] as const) {
    const made = await trail(40);
    const tree = made.ctx.workspaceId;
    const { rows } = await asSuperuser(
      'select hash from audit_leaves where tree = $1 and leaf_index between 7 and $2 order by leaf_index',
      [tree, last],
    );
    const leaves: Growing = { size: 0, peaks: [] };
    for (const hash of seenAs(rows.map(({ hash }) => hash))) append(leaves, hash);
    const root = rootOf(leaves.peaks);
    const at = new Date().toISOString();
    await tamper(...[7, 8, 9].map((index) => `delete from audit_entries where id = ${leaf(tree, index)}`));
    await asSuperuser(
      `insert into audit_tombstones (tree, first_index, last_index, root, at, key_id, note) values ($1, 7, $2, $3, $4, $5, $6)`,
      [tree, last, root, at, signer.keyId, signTombstone(signer, { tree, first: 7, last, root, at })],
    );
    const told = await verify((await download(made.client)).folder);
    expect(told.code, told.text).toBe(code);
  }
});

test('the operator takes a person out of the trail: proofs hold, exports say so, and no other name is put in', async () => {
  const made = await trail(4);
  const signs = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code + 1)).join('');
  const odd = `${signs}\u2028\u2029é😀\ufeff\uffff`;
  const person = await made.signedIn('creator', 'organization');
  const { body: key } = await person.post('/v1/api/api-keys', { name: 'theirs' });
  const actor = { type: 'user', id: person.userId, label: odd } as const;
  await leave(made, 2, 7, { actor, ip: '2001:db8::1', userAgent: odd });
  await leave(made, 1, 8, { actor: { type: 'api_key', id: key.id, label: 'theirs' }, ip: '10.0.0.9' });
  const before = await download(made.client);
  // What is not sealed yet is redacted, too.
  await leave(made, 1, 9, { actor, userAgent: odd });
  const command = ['admin', 'audit', 'redact', '--organization', made.ctx.organizationId, '--user', person.userId];
  const { body } = await runBeside(service, command);
  const count = async (where: string) =>
    (await asSuperuser(`select count(*)::int as count from audit_entries where ${where}`, [person.userId, key.id]))
      .rows[0].count;
  const theirs = 'actor_id in ($1, $2)';
  expect(body.redacted_entries).toBe(await count(theirs));
  expect(body.redacted_entries).toBeGreaterThan(4);
  expect(await count(`${theirs} and (salt is not null or actor_label is not null or ip is not null)`)).toBe(0);
  const exported = await download(made.client);
  const told = await verify(exported.folder);
  expect([told.code, told.text]).toEqual([0, expect.stringMatching(/[1-9]\d* entries are without who acted by name/)]);
  expect((await verify(before.folder)).text).not.toContain('without who acted');
  const listed = await made.client.get(`/v1/api/audit-entries?actor_id=${person.userId}`);
  expect(listed.body.data.length).toBeGreaterThan(2);
  for (const entry of listed.body.data)
    expect(entry).toMatchObject({ is_redacted: true, actor: { label: null }, context: { ip: null, user_agent: null } });
  const creator = await made.signedIn('creator', 'organization');
  expect((await creator.get('/v1/api/organization/audit-entries?action=audit-redaction')).body.data).toMatchObject([
    {
      target: { type: 'user', id: person.userId },
      actor: { type: 'operator' },
      data: { entries: body.redacted_entries },
    },
  ]);
  expect((await runBeside(service, command)).body.redacted_entries).toBe(0);
  const written = readFileSync(exported.entries, 'utf8');
  const named = written.replace('"actor_label":null', '"actor_label":"Eve"');
  writeFileSync(exported.entries, named);
  const { entries, ...manifest } = manifestOf(exported);
  const file = { bytes: Buffer.byteLength(named), sha256: createHash('sha256').update(named).digest('hex') };
  writeFileSync(exported.manifest, JSON.stringify({ ...manifest, entries: { ...entries, ...file } }));
  expect(await verify(exported.folder)).toMatchObject({ code: 2, text: expect.stringContaining('the entry of leaf') });
});

test('E66: whoever changes the files of an export is found', async () => {
  const made = await trail(40);
  const [lines, csv] = [await download(made.client), await download(made.client, { format: 'csv' })];
  const written = readFileSync(lines.entries, 'utf8');
  const rows = written.trimEnd().split('\n');
  const table = readFileSync(csv.entries, 'utf8');
  const swapped = [...rows.slice(0, 5), rows[6], rows[5], ...rows.slice(7)];
  const hash = /"leaf_hash":"([0-9a-f]{64})"/;
  const rehashed = rows.with(5, rows[5].replace(hash, `"leaf_hash":"${hash.exec(rows[6])![1]}"`));
  const unsealed = rows.with(
    5,
    rows[5].replace(/^\{"leaf_index":\d+,"leaf_hash":"\w+"/, '{"leaf_index":null,"leaf_hash":null'),
  );
  const cases: [Exported, string, number][] = [
    [lines, written.replace('"failed"', '"denied"'), 2],
    [lines, `${rows.toSpliced(5, 1).join('\n')}\n`, 3],
    [lines, `${rows.slice(0, -2).join('\n')}\n`, 3],
    [lines, `${swapped.join('\n')}\n`, 4],
    [lines, `${rows.toSpliced(5, 0, rows[5]).join('\n')}\n`, 4],
    [lines, `${rehashed.join('\n')}\n`, 2],
    [lines, `${unsealed.join('\n')}\n`, 3],
    [
      lines,
      `${written.trimEnd()}\n${rows[5].replace(/^\{"leaf_index":\d+,"leaf_hash":"\w+"/, '{"leaf_index":null,"leaf_hash":null')}\n`,
      6,
    ],
    [lines, `${written}x\n`, 1],
    [lines, written, 0],
    [csv, table.replace(',failed,', ',denied,'), 2],
    [csv, `${table.slice(0, table.lastIndexOf('\r\n', table.length - 3))}\r\n`, 3],
    [csv, table, 0],
  ];
  for (const [at, [exported, text, code]] of cases.entries()) {
    writeFileSync(exported.entries, text);
    const told = await verify(exported.folder);
    expect(told.code, `${at}: ${told.text}`).toBe(code);
  }
  const manifest = manifestOf(lines);
  const foreign = await trail(40);
  const theirs = manifestOf(await download(foreign.client));
  for (const [changed, code] of [
    [{ ...manifest, checkpoints: manifest.checkpoints.map((note) => note.replace('at 2', 'at 1')) }, 5],
    [{ ...manifest, checkpoints: theirs.checkpoints }, 5],
    [{ ...manifest, checkpoints: [] }, 5],
    [{ ...manifest, entries: { ...manifest.entries, file: '../x' } }, 1],
    [{ ...manifest, version: 2 }, 1],
    [manifest, 0],
  ] as const) {
    writeFileSync(lines.manifest, JSON.stringify(changed));
    const told = await verify(lines.folder);
    expect(told.code, told.text).toBe(code);
  }
  const key = join(folder, `key-${++names}`);
  writeFileSync(key, 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
  expect((await verify(lines.folder, '--public-key', key)).code).toBe(5);
  expect((await verify(join(folder, 'nothing'))).code).toBe(1);
});

test('an export is asked for and downloaded on the record, and so many may be open', async () => {
  const made = await trail(4);
  const auditor = await made.as('auditor');
  const exported = await download(auditor);
  const { body } = await auditor.get('/v1/api/audit-entries?action=audit-export-*');
  expect(body.data).toMatchObject([
    {
      action: 'audit-export-download',
      data: { part: 'manifest' },
      actor: { id: auditor.keyId },
      target: { id: exported.id },
    },
    { action: 'audit-export-download', data: { part: 'entries' } },
    { action: 'audit-export-request', data: { format: 'ndjson', from: null, to: null } },
  ]);
  const [again, same] = [0, 1].map(() => auditor.post(path, { format: 'csv' }, { 'idempotency-key': 'one' }));
  expect((await again).body.id).toBe((await same).body.id);
});
