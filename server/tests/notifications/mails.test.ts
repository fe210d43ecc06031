/** What people are told by mail. The numbers are those of the cases in the study of events. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { tenant } from '../../src/access/transactions.ts';
import { readMailRefusal } from '../../src/lib/mail/mail.ts';
import { retryPausesMs, sendingMax } from '../../src/resources/notification-mails/send.ts';
import { record } from '../../src/trail/record.ts';
import { expectRefusal } from '../problems.ts';
import { type Client, openClient, startTestService, type Tenant, type TestService } from '../service.ts';
import { choose, emailOf, happen, inboxOf, mailed, told } from './acts.ts';
import { openSilentServer, openSmtpSink, parseMail, type SmtpSink } from './smtp.ts';

let service: TestService;
let sink: SmtpSink;
let one: Tenant;
beforeAll(async () => {
  sink = await openSmtpSink();
  service = await startTestService({ smtpUrl: sink.url, mailFrom: 'Lastro <lastro@service.example>' });
  one = await service.tenant('Mails');
});
afterAll(async () => {
  await service.close();
  await sink.close();
});

// Readers of one test are told nothing of the next.
afterEach(() => service.owner.pool.query('delete from notification_preferences'));

type Reader = Client & { readonly userId: string; readonly email: string };

/** Somebody who is told of batches by these channels. */
async function reading(channels = 'email', asked: object = {}): Promise<Reader> {
  const person = await one.signedIn('developer', 'workspace');
  await choose(person, 'preferences', [
    { type: 'batch-lifecycle', channels },
    { type: 'model-version-creation', channels: 'none' },
  ]);
  if (Object.keys(asked).length > 0) {
    const changed = await person.send('PATCH', '/v1/api/notification-preferences', { body: asked });
    expect(changed.status, changed.text).toBe(200);
  }
  return { ...person, email: await emailOf(service, person.userId) };
}

const batch = (status: 'queued' | 'running' | 'succeeded' | 'failed' = 'queued') =>
  happen(service, one.ctx, 'batch-lifecycle', { status });
const aboutBatches = (email: string) => sink.to(email).filter(({ source }) => /^Subject: .*Batch/m.test(source));

/** Waits until so many mails about batches have arrived at an address. */
const arrived = (email: string, count: number) =>
  vi.waitUntil(() => (aboutBatches(email).length >= count ? aboutBatches(email) : null), { timeout: 120_000 });

const mailsOf = (userId: string) =>
  service.owner.kysely
    .selectFrom('notification_mails')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();

/** Has what is waiting for somebody be due at once, as if its time had come. */
const hasten = (userId: string) =>
  service.owner.pool.query("update notification_mails set due_at = now() where user_id = $1 and status = 'waiting'", [
    userId,
  ]);

test('a mail has a text and a page that say the same, and what programs want to know in its head', async () => {
  const reader = await reading('both');
  await batch('succeeded');
  const [source] = await arrived(reader.email, 1);
  const mail = await parseMail(source);
  const row = (await inboxOf(reader, '&unseen=true')).find(({ type }) => type === 'batch-lifecycle')!;
  expect(mail.subject).toBe('[Mails workspace] Batch succeeded');
  expect(mail.text).toContain('Batch succeeded\n\nA batch went to another status');
  expect(mail.text).toContain(`${service.url}/batches/bat_1`);
  expect(mail.html).toContain('<h3>Batch succeeded</h3>');
  expect(mail.messageId).toBe(`<${row.id}@service.example>`);
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
  expect(source.source).toMatch(
    new RegExp(`^List-Unsubscribe:\\s+<${service.url}/v1/api/notification-mails/unsubscription\\?[^>\\s]+>$`, 'm'),
  );
  expect(source.source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  expect(mail.to).toMatchObject({ text: reader.email });
});

test('E76 what is refused for now is sent again later, once, under the same name', async () => {
  const reader = await reading();
  sink.meet(reader.email, { at: 'rcpt', code: 451, text: '4.7.1 later' }, { at: 'data', code: 421, text: 'busy' });
  await batch();
  for (const attempts of [1, 2]) {
    await vi.waitUntil(async () =>
      (await mailsOf(reader.userId)).some((mail) => mail.attempts === attempts && mail.claim === null),
    );
    const waiting = (await mailsOf(reader.userId)).find(({ status }) => status === 'waiting')!;
    const pauseMs = waiting.due_at.getTime() - (await nowOf()).getTime();
    expect(pauseMs).toBeLessThanOrEqual(retryPausesMs[attempts - 1]);
    expect(pauseMs).toBeGreaterThan(retryPausesMs[attempts - 1] / 2);
    await hasten(reader.userId);
  }
  await mailed(service);
  const mails = aboutBatches(reader.email);
  // Of the second attempt all data had come when the server refused them.
  expect(mails).toHaveLength(2);
  expect(new Set(await Promise.all(mails.map(async (mail) => (await parseMail(mail)).messageId))).size).toBe(1);
  expect((await mailsOf(reader.userId)).map(({ status }) => status)).toContain('sent');
});

const nowOf = async (): Promise<Date> => (await service.owner.pool.query('select now() as now')).rows[0].now;

test('E76 an address that is refused for good gets no more mails, which its user sees and can end', async () => {
  const reader = await reading('both');
  sink.meet(reader.email, { at: 'rcpt', code: 550, text: '5.1.1 no such mailbox' });
  await batch();
  await vi.waitUntil(async () => (await mailsOf(reader.userId)).some(({ status }) => status === 'suppressed'));
  await batch();
  await told(service);
  await mailed(service);
  expect(aboutBatches(reader.email)).toHaveLength(0);
  const { mail_suppression } = (await reader.get('/v1/api/notifications?limit=1')).body;
  expect(mail_suppression).toEqual({
    ...{ id: expect.stringMatching(/^sup_/), email: reader.email, created_at: expect.any(String) },
    reason: expect.stringContaining('550 5.1.1 no such mailbox'),
  });
  expect((await reader.get('/v1/api/notifications/counts')).body.mail_suppression).toEqual(mail_suppression);
  expect((await reader.get('/v1/api/user/mail-suppressions')).body.data).toEqual([mail_suppression]);
  const other = await reading();
  const path = `/v1/api/user/mail-suppressions/${mail_suppression.id}`;
  expectRefusal(await other.send('DELETE', path), 404, 'not_found');
  expect((await reader.send('DELETE', path)).status).toBe(204);
  expect((await reader.get('/v1/api/notifications/counts')).body.mail_suppression).toBeNull();
  await batch();
  await arrived(reader.email, 1);
});

test('E76 mails that somebody has just asked for, or that are of signing in, go to a refused address too', async () => {
  const reader = await reading('none');
  await service.owner.pool.query(
    "insert into mail_suppressions (id, user_id, email, reason) values ('sup_' || $1, $1, $2, '550')",
    [reader.userId, reader.email],
  );
  const subjects = async (count: number) =>
    (await Promise.all((await sink.arrivals(reader.email, count)).map(parseMail))).map(({ subject }) => subject);
  const before = sink.to(reader.email).length;
  const body = { email: reader.email };
  const asked = await service.anonymous.send('POST', '/v1/api/password-resets', {
    ...{ body, headers: { origin: service.url } },
  });
  expect(asked.status, asked.text).toBe(202);
  expect(await subjects(before + 1)).toContain('Reset your password');
  const other = await service.tenant('Inviting');
  const creator = await other.signedIn('creator', 'workspace');
  const invited = await creator.post('/v1/api/invitations', { ...body, role: 'member' });
  expect(invited.status, invited.text).toBe(201);
  expect((await subjects(before + 2)).some((subject) => /^You are invited to /.test(subject!))).toBe(true);
});

test('E76 a server that takes the mail and says nothing is left, and is asked again later', async () => {
  const silent = await openSilentServer();
  const slow = await startTestService({ smtpUrl: silent.url, smtpSilenceMs: 300 });
  const tenant = await slow.tenant('Silence');
  const person = await tenant.signedIn('developer', 'workspace');
  await choose(person, 'preferences', [{ type: 'batch-lifecycle', channels: 'email' }]);
  await happen(slow, tenant.ctx, 'batch-lifecycle', { status: 'queued' });
  const rows = () => slow.owner.kysely.selectFrom('notification_mails').selectAll().execute();
  await vi.waitUntil(async () => (await rows()).some(({ attempts, failure }) => attempts === 1 && failure !== null), {
    timeout: 120_000,
  });
  for (const { status, claim } of (await rows()).filter(({ failure }) => failure !== null))
    expect({ status, claim }).toEqual({ status: 'waiting', claim: null });
  await slow.close();
  await silent.close();
});

test('E76 few mails are handed to the server at once', async () => {
  const readers = await Promise.all(Array.from({ length: 12 }, () => reading()));
  for (const { email } of readers) sink.meet(email, { at: 'data', hangMs: 300 });
  await batch();
  for (const { email } of readers) await arrived(email, 1);
  expect(sink.atOnceMax).toBeGreaterThan(1);
  expect(sink.atOnceMax).toBeLessThanOrEqual(sendingMax);
});

test.each([
  [{ responseCode: 550, response: '550 5.1.1 unknown', code: 'EENVELOPE' }, 'address'],
  [{ responseCode: 550, response: '550 no such user', code: 'EENVELOPE' }, 'address'],
  [{ responseCode: 550, response: '550 5.7.1 blocked as spam', code: 'EMESSAGE' }, 'mail'],
  [{ responseCode: 552, response: '552 5.2.2 mailbox full', code: 'EENVELOPE' }, 'mail'],
  [{ responseCode: 554, response: '554 no', code: 'EMESSAGE' }, 'mail'],
  [{ responseCode: 535, response: '535 5.7.8 wrong password', code: 'EAUTH' }, 'later'],
  [{ responseCode: 451, response: '451 4.3.0 busy', code: 'EENVELOPE' }, 'later'],
  [{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' }, 'later'],
])('a refusal says whether a mail may be sent again: %j', (error, kind) => {
  expect(readMailRefusal(error).kind).toBe(kind);
});

test('E77 the page of a link changes nothing; the link itself turns off mails of that type, and nothing else', async () => {
  const reader = await reading('both');
  await choose(reader, 'preferences', [{ type: 'batch-request', channels: 'both' }]);
  await batch();
  const [mail] = await arrived(reader.email, 1);
  const url = /^List-Unsubscribe:\s+<([^>]+)>/m.exec(mail.source)![1];
  const anybody = openClient(service.url, '');
  const choicesOf = async () => (await reader.get('/v1/api/notification-preferences')).body.preferences;
  const before = await choicesOf();
  for (let times = 0; times < 2; times++) {
    const page = await anybody.get(url);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.text).toContain('<form method="post">');
    expect(page.text).not.toContain('<script');
  }
  expect(await choicesOf()).toEqual(before);
  const click = (address: string) =>
    anybody.send('POST', address, {
      raw: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const { searchParams } = new URL(url);
  for (const [name, value] of [
    ['signature', 'A'.repeat(43)],
    ['mail', 'ntf_0199f3a8c4d27b1e9c55d0a1b2c3d4e5'],
    ['expires', '99999999999'],
  ]) {
    const forged = new URL(url);
    expect(searchParams.has(name)).toBe(true);
    forged.searchParams.set(name, value);
    expectRefusal(await click(String(forged)), 403, 'signature_invalid');
    expectRefusal(await anybody.get(String(forged)), 403, 'signature_invalid');
  }
  expect(await choicesOf()).toEqual(before);
  for (let times = 0; times < 2; times++) expect((await click(url)).status).toBe(200);
  const changed = (await choicesOf()).filter(
    (choice: object, at: number) => JSON.stringify(choice) !== JSON.stringify(before[at]),
  );
  expect(changed).toEqual([
    expect.objectContaining({
      ...{ type: 'batch-lifecycle', email: { on: false, source: 'user' }, in_app: { on: true, source: 'user' } },
    }),
  ]);
  const seen = (await inboxOf(reader)).length;
  await batch('running');
  await told(service);
  await mailed(service);
  expect(aboutBatches(reader.email)).toHaveLength(1);
  expect(await inboxOf(reader)).toHaveLength(seen + 1);
});

test('E78 what others have named stands in a mail as text, and adds no line to its head', async () => {
  const evil = '<script>alert(1)</script>\r\nBcc: evil@evil.example\r\nSubject: other "><img src=x>\u2028\u202e';
  const reader = await reading('none');
  await choose(reader, 'preferences', [{ type: 'workspace-update', channels: 'both' }]);
  const creator = await one.signedIn('creator', 'workspace');
  await happen(service, one.ctx, 'workspace-update', { name: evil }, { type: 'workspace', id: one.ctx.workspaceId });
  const renamed = await creator.send('PATCH', '/v1/api/workspace', { body: { name: `W ${evil}` } });
  expect(renamed.status, renamed.text).toBe(200);
  const mails = await sink.arrivals(reader.email, 2);
  for (const mail of mails) {
    const [head] = mail.source.split('\r\n\r\n', 1);
    expect(head.match(/^Subject:/gim)).toHaveLength(1);
    expect(head).not.toMatch(/^Bcc:/im);
    expect(mail.to).toEqual([reader.email]);
    const parsed = await parseMail(mail);
    expect(parsed.subject).toContain('<script>alert(1)</script> Bcc: evil@evil.example');
    expect(parsed.html).not.toMatch(/<script|<img/);
    expect(parsed.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(parsed.subject).not.toMatch(/[\r\n\u2028\u202e]/);
  }
  expect((await inboxOf(reader)).map(({ title }) => /[\r\n\u2028\u202e]/.test(title))).not.toContain(true);
  await creator.send('PATCH', '/v1/api/workspace', { body: { name: 'Mails workspace' } });
});

test('E79 five hundred events within a window are one mail, and all of them are in the inbox', async () => {
  const reader = await reading('both', { mail_window: '15m' });
  await told(service);
  const before = (await inboxOf(reader)).length;
  const { rows } = await service.owner.pool.query('select now() as now');
  await tenant(service.service.app.db, one.ctx, async (tx) => {
    for (let at = 0; at < 500; at++)
      await record(tx, one.ctx, 'batch-lifecycle', { type: 'batch', id: 'bat_1' }, { status: 'queued' });
  });
  await told(service);
  expect(await inboxOf(reader)).toHaveLength(before + 500);
  expect(aboutBatches(reader.email)).toHaveLength(0);
  const [digest] = (await mailsOf(reader.userId)).filter(({ is_digest }) => is_digest);
  const windowMs = digest.due_at.getTime() - rows[0].now.getTime();
  expect(windowMs).toBeGreaterThanOrEqual(15 * 60_000);
  await hasten(reader.userId);
  const mail = await vi.waitUntil(() => sink.to(reader.email).find(({ source }) => /500 notifications/.test(source)), {
    timeout: 120_000,
  });
  await mailed(service);
  const { subject, text } = await parseMail(mail!);
  expect(subject).toBe('[Mails workspace] 500 notifications');
  expect(text!.match(/Batch: bat_1/g)).toHaveLength(500);
  expect(sink.to(reader.email).filter(({ source }) => /notifications\r\n/.test(source))).toHaveLength(1);
});

test('beyond twenty mails an hour, what comes gathers in one', async () => {
  const reader = await reading();
  for (let at = 0; at < 30; at++) await batch();
  await told(service);
  await mailed(service);
  const rows = await mailsOf(reader.userId);
  // One of them told of the new device or of the link by which the reader signed in.
  const singles = rows.filter(({ is_digest }) => !is_digest);
  expect(singles).toHaveLength(20);
  const [gathering, ...others] = rows.filter(({ is_digest }) => is_digest);
  expect(others).toEqual([]);
  const oldestMs = Math.min(...singles.map(({ created_at }) => created_at.getTime()));
  expect(gathering.due_at.getTime() - oldestMs).toBe(60 * 60_000);
});

test('who may no longer read it is not sent what is waiting', async () => {
  const reader = await reading('email', { mail_window: '1h' });
  await batch();
  await told(service);
  const creator = await one.signedIn('creator', 'workspace');
  expect((await creator.send('DELETE', `/v1/api/members/${reader.userId}`)).status).toBeLessThan(300);
  await hasten(reader.userId);
  await vi.waitUntil(async () => (await mailsOf(reader.userId)).every(({ status }) => status !== 'waiting'));
  const [digest] = (await mailsOf(reader.userId)).filter(({ is_digest }) => is_digest);
  expect(digest.status).toBe('dropped');
  expect(aboutBatches(reader.email)).toHaveLength(0);
});
