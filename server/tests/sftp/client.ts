/** A client of SFTP, with promises in place of callbacks; test support. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectConfig, SFTPWrapper } from 'ssh2';
import ssh2 from 'ssh2';
import { expect } from 'vitest';
import { setFeature } from '../../src/resources/organizations/features.ts';
import type { Tenant, TestService } from '../service.ts';

export type Sftp = {
  readonly raw: SFTPWrapper;
  put(path: string, bytes: Uint8Array | string): Promise<void>;
  get(path: string): Promise<Buffer>;
  list(path: string): Promise<string[]>;
  stat(path: string): Promise<ssh2.Stats>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Waits until a file is there. Returns its bytes. */
  appears(path: string): Promise<Buffer>;
  /** Resolves once the line is gone, whoever ended it. */
  readonly closed: Promise<void>;
  /** Drops the line, as a network does. */
  drop(): Promise<void>;
  end(): Promise<void>;
};

export type SftpUser = { readonly id: string; readonly login: string; readonly password: string | null };

/** A new pair of keys of ed25519: one of 256 that the library makes begins with a zero, and cannot be read. */
export function makeKeyPair(comment = ''): ReturnType<typeof ssh2.utils.generateKeyPairSync> {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment });
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) return pair;
  }
}

/** Makes a user of SFTP, signed in as a Creator, in an organization for which it is enabled. */
export async function makeSftpUser(
  { service }: TestService,
  tenant: Tenant,
  asked: object = {},
): Promise<SftpUser & { readonly creator: Awaited<ReturnType<Tenant['signedIn']>> }> {
  await setFeature(service.app.db, tenant.ctx.organizationId, 'sftp', true).catch(() => {});
  const creator = await tenant.signedIn('creator', 'workspace');
  const made = await creator.post('/v1/api/sftp-users', { name: 'Nightly scoring', ...asked });
  expect(made.status, made.text).toBe(201);
  return { ...made.body, creator };
}

/** Connects as a user, with a password or what else `how` says. Rejects with the reason for which it may not. */
export async function connectSftp(
  { service }: { readonly service: Pick<TestService['service'], 'sftpPort'> },
  { login, password }: Pick<SftpUser, 'login' | 'password'>,
  how: ConnectConfig = {},
): Promise<Sftp> {
  const client = new ssh2.Client();
  await new Promise<void>((resolve, reject) => {
    client
      .once('ready', resolve)
      // One may follow another, and later ones are told by what they break.
      .on('error', reject)
      .once('end', () => reject(new Error('hung up')));
    client.connect({
      ...{ host: '127.0.0.1', port: service.sftpPort!, username: login, readyTimeout: 60_000 },
      ...(password !== null && { password }),
      ...how,
    });
  });
  // Each request would wait 40 ms for the acknowledgement of what was sent before it.
  client.setNoDelay(true);
  const raw = await new Promise<SFTPWrapper>((resolve, reject) =>
    client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp))),
  );
  // What was asked of a line that breaks is told by whoever asked.
  raw.on('error', () => {});
  const told = <T>(ask: (done: (error: Error | null | undefined, value?: T) => void) => void) =>
    new Promise<T>((resolve, reject) => ask((error, value) => (error ? reject(error) : resolve(value as T))));
  const closed = new Promise<void>((resolve) => client.once('close', resolve));
  const get = async (path: string): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    const stream = raw.createReadStream(path);
    // The file is closed behind whoever has read it, on a line that may break meanwhile.
    stream.on('error', () => {});
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };
  return {
    ...{ raw, closed },
    put: (path, bytes) => told<void>((done) => raw.writeFile(path, Buffer.from(bytes as string), done)),
    get,
    list: async (path) =>
      (await told<ssh2.FileEntryWithStats[]>((done) => raw.readdir(path, done))).map(({ filename }) => filename),
    stat: (path) => told((done) => raw.stat(path, done)),
    rename: (from, to) => told<void>((done) => raw.rename(from, to, done)),
    remove: (path) => told<void>((done) => raw.unlink(path, done)),
    async appears(path) {
      const [folder, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
      for (;;) {
        const names = await told<ssh2.FileEntryWithStats[]>((done) => raw.readdir(folder, done));
        if (names.some(({ filename }) => filename === name)) return get(path);
        await sleep(100);
      }
    },
    async drop() {
      (client as unknown as { _sock: { destroy(): void } })._sock.destroy();
      await closed;
    },
    async end() {
      client.end();
      await closed;
    },
  };
}

/** What a request of the raw client answers. */
export const told = <T>(ask: (done: (error?: Error | null, value?: T) => void) => void) =>
  new Promise<T>((resolve, reject) => ask((error, value) => (error ? reject(error) : resolve(value as T))));
export const opened = ({ raw }: Sftp, path: string, flags: 'w' | 'a') =>
  told<Buffer>((done) => raw.open(path, flags, done));
export const closed = ({ raw }: Sftp, handle: Buffer) => told<void>((done) => raw.close(handle, done));
export const written = ({ raw }: Sftp, handle: Buffer, bytes: Buffer, offset: number) =>
  told<void>((done) => raw.write(handle, bytes, 0, bytes.length, offset, done));
