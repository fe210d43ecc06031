/** Who may come in by SFTP, and by what key the server proves itself to them. */
import ssh2 from 'ssh2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ofNetwork } from '../../src/access/attempts.ts';
import { setFeature } from '../../src/resources/organizations/features.ts';
import { rotateHostKey } from '../../src/resources/sftp-server/host-keys.ts';
import { signInToSftp } from '../../src/resources/sftp-users/sign-in.ts';
import { readMetric } from '../metrics.ts';
import { startTestService, type Tenant, type TestService } from '../service.ts';
import { closed, connectSftp, makeKeyPair, makeSftpUser, opened, written } from './client.ts';

let service: TestService;
let tenant: Tenant;
let user: Awaited<ReturnType<typeof makeSftpUser>>;

beforeAll(async () => {
  service = await startTestService({ sftpPort: 0, metricsPort: 0 });
  tenant = await service.tenant('Signing in');
  user = await makeSftpUser(service, tenant);
  const sftp = await connectSftp(service, user);
  await sftp.put('batch/in/daily.csv', 'endpoint\n');
  await sftp.end();
});
afterAll(() => service.close());

test('a key lets in whoever has it, of each type; another key, a wrong password and an unknown login let in nobody', async () => {
  const pairs = [
    makeKeyPair('me'),
    ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }),
    ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 }),
  ];
  const made = await makeSftpUser(service, tenant, { public_keys: pairs.map((pair) => pair.public) });
  expect(made).toMatchObject({ password: null, password_hint: null });
  for (const { private: privateKey } of pairs) {
    const known = await connectSftp(service, made, { privateKey });
    expect(await known.list('batch/in')).toContain('daily.csv');
    await known.end();
  }
  const refused = () => readMetric(service.service.metricsPort!, 'lastro_sftp_sign_ins_total', { outcome: 'refused' });
  const before = await refused().catch(() => 0);
  const foreign = makeKeyPair().private;
  await expect(connectSftp(service, made, { privateKey: foreign })).rejects.toThrow();
  await expect(connectSftp(service, made, { password: 'guess' })).rejects.toThrow();
  await expect(connectSftp(service, { ...user, password: `${user.password}x` })).rejects.toThrow();
  await expect(connectSftp(service, { login: 'root', password: user.password })).rejects.toThrow();
  expect((await refused()) - before).toBeGreaterThanOrEqual(4);
});

test('a network that has guessed too often must wait, with the right password too; others need not', async () => {
  const attempt = (ip: string, password: string) =>
    signInToSftp(service.service.app, { login: user.login, ip, proof: { password } });
  for (let guess = 0; guess < ofNetwork.free; guess++) expect(await attempt('192.0.2.1', `guess ${guess}`)).toBeNull();
  await expect(
    Promise.all([user.password!, user.password!].map((password) => attempt('192.0.2.1', password))),
  ).rejects.toThrow('too many attempts');
  expect(await attempt('192.0.2.2', user.password!)).not.toBeNull();
});

test('a user that is deleted can do nothing from then on, also where it is connected', async () => {
  const made = await makeSftpUser(service, tenant);
  const connected = await connectSftp(service, made);
  expect(await connected.list('batch/in')).toContain('daily.csv');
  const gone = await made.creator.send('DELETE', `/v1/api/sftp-users/${made.id}`);
  expect(gone.status, gone.text).toBe(204);
  await expect(connected.list('batch/in')).rejects.toThrow('has been deleted');
  await expect(connected.put('batch/in/late.csv', 'endpoint\n')).rejects.toThrow('has been deleted');
  await expect(connectSftp(service, made)).rejects.toThrow();
  await connected.end();
});

test('where SFTP is switched off, users can do nothing from then on, and what they had begun is not taken', async () => {
  const other = await service.tenant('Switched');
  const made = await makeSftpUser(service, other);
  const connected = await connectSftp(service, made);
  await connected.put('batch/in/before.csv', 'endpoint\n');
  const handle = await opened(connected, 'batch/in/begun.csv', 'w');
  await written(connected, handle, Buffer.from('endpoint\n'), 0);
  await setFeature(service.service.app.db, other.ctx.organizationId, 'sftp', false);
  const why = 'has been deleted, or may not come in';
  await expect.poll(() => connected.list('batch/in').catch(({ message }) => message)).toContain(why);
  await expect(closed(connected, handle)).rejects.toThrow(why);
  await expect(connected.put('batch/in/late.csv', 'endpoint\n')).rejects.toThrow(why);
  await expect(connectSftp(service, made)).rejects.toThrow();
  await connected.end();
  const { body } = await other.client.get('/v1/api/sftp-files');
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['before.csv']);
  await setFeature(service.service.app.db, other.ctx.organizationId, 'sftp', true);
  const again = await connectSftp(service, made);
  expect(await again.list('batch/in')).toEqual(['before.csv']);
  await again.end();
});

test('a process for SFTP alone wants a port', async () => {
  await expect(startTestService({ sftpPort: null }, 'sftp')).rejects.toThrow('SFTP_PORT names no port');
});

/** The fingerprint of the key that the server shows to a new connection. */
async function shownKey(): Promise<string> {
  let shown = '';
  const client = await connectSftp(service, user, {
    hostHash: 'sha256',
    hostVerifier: (hash: string) => {
      shown = `SHA256:${Buffer.from(hash, 'hex').toString('base64').replace(/=+$/, '')}`;
      return true;
    },
  });
  expect(await client.list('batch')).toContain('in');
  await client.end();
  return shown;
}

test('the server proves itself with the key that the service tells, and with the next one from its time on', async () => {
  const toldKeys = async () => {
    const { body } = await tenant.client.get('/v1/api/sftp-server');
    expect(body).toMatchObject({ enabled: true, host: 'localhost' });
    return body.host_keys.map(({ fingerprint }: { fingerprint: string }) => fingerprint);
  };
  const first = await shownKey();
  expect(await toldKeys()).toEqual([first]);
  const connected = await connectSftp(service, user);
  const next = await rotateHostKey(service.service.app, new Date(Date.now() + 3_600_000));
  expect(await toldKeys()).toEqual([first, next.fingerprint]);
  expect(await shownKey()).toBe(first);
  await service.owner.pool.query('update sftp_host_keys set used_from = now() where fingerprint = $1', [
    next.fingerprint,
  ]);
  await expect.poll(shownKey, { timeout: 120_000 }).toBe(next.fingerprint);
  expect(await toldKeys()).toEqual([next.fingerprint]);
  // Who was connected before stays.
  expect(await connected.list('batch')).toContain('in');
  await connected.end();
});

test('where rules name no network with its address, nobody signs in', async () => {
  const other = await service.tenant('Fenced');
  const made = await makeSftpUser(service, other);
  const connected = await connectSftp(service, made);
  const rule = { cidr: '203.0.113.0/24', applies_to: 'api' };
  const fenced = await made.creator.post('/v1/api/ip-rules', rule);
  expect(fenced.status, fenced.text).toBe(201);
  await expect.poll(() => connected.list('batch/in').catch(({ message }) => message)).toContain('are not let in here');
  await expect(connectSftp(service, made)).rejects.toThrow();
  await connected.end();
});
