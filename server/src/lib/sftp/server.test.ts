/** The server of SFTP on a tree in memory: who gets in, its limits, and clients that send what they should not. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import ssh2, { type ConnectConfig, type SFTPWrapper } from 'ssh2';
import { afterEach, expect, test } from 'vitest';
import { Failure } from '../failure.ts';
import type { Entry, FileTree } from './file-tree.ts';
import { fingerprintOf, makeHostKey, readPublicKey } from './keys.ts';
import { readPath, writePath } from './path.ts';
import { openSftpServer, type SftpLimits, type SftpOptions, type SftpServer } from './server.ts';

const hostKey = makeHostKey();
const roomy: SftpLimits = {
  ...{ connectionsMax: 100, connectionsPerAddress: 100, channelsMax: 3, handlesMax: 4, attemptsMax: 3 },
  ...{ signInMs: 60_000, idleMs: 60_000, connectionMs: 60_000 },
};

let server: SftpServer | undefined;
let faults: unknown[] = [];
afterEach(async () => {
  await server?.close();
  server = undefined;
  expect(faults.splice(0)).toEqual([]);
});

/** Starts a server that lets in `ana` with `secret`. Returns its port and what was put into its tree. */
async function start(limits: Partial<SftpLimits> = {}, more: Partial<SftpOptions<string>> = {}) {
  const files = new Map<string, Buffer>();
  const abandoned: string[] = [];
  faults = [];
  server = openSftpServer({
    hostKey: async () => hostKey.privateKey,
    limits: { ...roomy, ...limits },
    signIn: async ({ login, proof }) =>
      login === 'ana' && 'password' in proof && proof.password === 'secret' ? login : null,
    treeOf: () => treeOf(files, abandoned),
    onFault: (error) => faults.push(error),
    ...more,
  });
  return { port: await server.listen(0, '127.0.0.1'), files, abandoned };
}

function treeOf(files: Map<string, Buffer>, abandoned: string[]): FileTree {
  const entry = (name: string, bytes: number): Entry => ({
    ...{ name, kind: 'file', bytes, modified: new Date(0), isWritable: true },
  });
  const found = (path: readonly string[]): Buffer => {
    const bytes = files.get(writePath(path));
    if (!bytes) throw new Failure('not_found', 'no such file');
    return bytes;
  };
  return {
    async *list() {
      yield [];
      yield [...files].map(([path, bytes]) => entry(path.slice(1), bytes.length));
    },
    stat: async (path) => entry(path.at(-1)!, found(path).length),
    async openToRead(path) {
      const bytes = found(path);
      const read = async (from: number, length: number) => bytes.subarray(from, from + length);
      return { entry: entry(path.at(-1)!, bytes.length), read, close: async () => {} };
    },
    async openToWrite(path) {
      let bytes = Buffer.alloc(0);
      return {
        entry: () => entry(path.at(-1)!, bytes.length),
        async write(offset, more) {
          const longer = Buffer.alloc(Math.max(bytes.length, offset + more.length));
          bytes.copy(longer);
          longer.set(more, offset);
          bytes = longer;
        },
        truncate: async (length) => {
          bytes = bytes.subarray(0, length);
        },
        finish: async () => void files.set(writePath(path), bytes),
        abandon: async () => void abandoned.push(writePath(path)),
      };
    },
    remove: async (path) => void (found(path) && files.delete(writePath(path))),
    async rename(from, to) {
      files.set(writePath(to), found(from));
      files.delete(writePath(from));
    },
  };
}

const signIn = (port: number, how: ConnectConfig = {}) => signInBy({ host: '127.0.0.1', port, ...how });
/** Signs in over a connection that is open. */
const clientOver = (sock: Socket, how: ConnectConfig = {}) => signInBy({ sock, ...how });

async function signInBy(how: ConnectConfig): Promise<ssh2.Client> {
  const client = new ssh2.Client();
  await new Promise<void>((resolve, reject) => {
    client
      .once('ready', resolve)
      .once('error', reject)
      .once('close', () => reject(new Error('closed')));
    client.connect({ username: 'ana', password: 'secret', readyTimeout: 60_000, ...how });
  });
  return client.on('error', () => {});
}

const told = <T>(ask: (done: (error?: Error | null, value?: T) => void) => void) =>
  new Promise<T>((resolve, reject) => ask((error, value) => (error ? reject(error) : resolve(value as T))));
const channelOf = (client: ssh2.Client) => told<SFTPWrapper>((done) => client.sftp(done));

test('files go in and come out as they are, in lists of any length', async () => {
  const { port, files } = await start();
  const client = await signIn(port);
  const sftp = await channelOf(client);
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
  await told((done) => sftp.writeFile('/a.csv', bytes, done));
  expect(files.get('/a.csv')).toEqual(bytes);
  expect(await told((done) => sftp.readFile('/a.csv', done))).toEqual(bytes);
  for (let at = 0; at < 250; at++) files.set(`/file-${at}`, Buffer.of());
  expect(await told<unknown[]>((done) => sftp.readdir('/', done))).toHaveLength(251);
  await told((done) => sftp.rename('/a.csv', '/b.csv', done));
  expect((await told<ssh2.Stats>((done) => sftp.stat('/b.csv', done))).size).toBe(bytes.length);
  await expect(told((done) => sftp.stat('/a.csv', done))).rejects.toMatchObject({ code: 2, message: 'no such file' });
  client.end();
});

test('there is neither shell nor command nor forwarding', async () => {
  const { port } = await start();
  expect(server!.signedIn()).toBe(0);
  const client = await signIn(port);
  expect(server!.signedIn()).toBe(1);
  await expect(told((done) => client.exec('id', done))).rejects.toThrow();
  await expect(told((done) => client.shell(done))).rejects.toThrow();
  await expect(told((done) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', port, done))).rejects.toThrow();
  await expect(told((done) => client.forwardIn('127.0.0.1', 0, done))).rejects.toThrow();
  client.end();
});

test('old algorithms are not spoken', async () => {
  const { port } = await start();
  for (const algorithms of [
    { kex: ['diffie-hellman-group14-sha1'] },
    { cipher: ['aes128-cbc'] },
    { hmac: ['hmac-sha1'], cipher: ['aes128-ctr'] },
    { serverHostKey: ['ssh-rsa'] },
  ] as ConnectConfig['algorithms'][])
    await expect(signIn(port, { algorithms: algorithms! })).rejects.toThrow(/handshake|no matching|algorithm/i);
});

test('a client that guesses is cut off after its attempts, and one that says nothing after its time', async () => {
  const { port } = await start({ attemptsMax: 2, signInMs: 300 });
  const guesses: string[] = [];
  await expect(
    signIn(port, {
      authHandler: (_left, _partial, next) => {
        guesses.push('guess');
        next({ type: 'password', username: 'ana', password: 'wrong' });
      },
    }),
  ).rejects.toThrow();
  expect(guesses).toHaveLength(2);
  const silent = connect(port, '127.0.0.1');
  silent.on('error', () => {}).resume();
  await once(silent, 'close');
});

test('a client that asks for nothing is let go, and what it had begun is given up', async () => {
  const { port, abandoned } = await start({ idleMs: 1_000 });
  const client = await signIn(port);
  const sftp = await channelOf(client);
  await told((done) => sftp.open('/never-closed', 'w', done));
  await once(client, 'close');
  await expect.poll(() => abandoned).toEqual(['/never-closed']);
});

test('a client waits as long as its request takes to be answered, and is let go a while after', async () => {
  const { port, files, abandoned } = await start({ idleMs: 1_000 }, { treeOf: () => slow });
  let store = () => {};
  const isStored = new Promise<void>((resolve) => {
    store = resolve;
  });
  const kept = treeOf(files, abandoned);
  const slow: FileTree = {
    ...kept,
    async openToWrite(path, how) {
      const file = await kept.openToWrite(path, how);
      return { ...file, finish: () => isStored.then(file.finish) };
    },
  };
  const client = await signIn(port);
  const sftp = await channelOf(client);
  let isClosed = false;
  const closed = once(client, 'close').then(() => {
    isClosed = true;
  });
  const handle = await told<Buffer>((done) => sftp.open('/large', 'w', done));
  const answered = told((done) => sftp.close(handle, done));
  await sleep(3_000);
  expect(isClosed).toBe(false);
  store();
  await answered;
  expect(files.has('/large')).toBe(true);
  await closed;
});

test('a client that takes nothing of what it has asked for is let go', async () => {
  const { port, files } = await start({ idleMs: 1_000 });
  files.set('/large', Buffer.alloc(64 * 1024 * 1024));
  const client = await signIn(port);
  const sftp = await channelOf(client);
  const handle = await told<Buffer>((done) => sftp.open('/large', 'r', done));
  const { _sock: socket, _protocol: protocol } = client as unknown as {
    readonly _sock: Socket;
    readonly _protocol: { channelWindowAdjust(channel: number, bytes: number): void };
  };
  // It has room for all of it, and does not read its line.
  protocol.channelWindowAdjust((sftp as unknown as { outgoing: { id: number } }).outgoing.id, 1_000_000_000);
  const buffer = Buffer.alloc(256 * 1024);
  for (let at = 0; at < 400; at++) sftp.read(handle, buffer, 0, buffer.length, 0, () => {});
  sftp.close(handle, () => {});
  socket.pause();
  await expect.poll(() => server!.signedIn()).toBe(0);
  client.end();
});

test('bytes behind others that were refused are refused too, and the file is given up', async () => {
  const { port, abandoned, files } = await start({}, { treeOf: () => full });
  const kept = treeOf(files, abandoned);
  const sizes: number[] = [];
  const full: FileTree = {
    ...kept,
    async openToWrite(path, how) {
      const file = await kept.openToWrite(path, how);
      return {
        ...file,
        async write(offset, bytes) {
          if (offset === 1) throw new Failure('insufficient_storage', 'no room');
          await file.write(offset, bytes);
        },
        async abandon() {
          sizes.push(file.entry().bytes);
          await file.abandon();
        },
      };
    },
  };
  const client = await signIn(port);
  const sftp = await channelOf(client);
  const handle = await told<Buffer>((done) => sftp.open('/f', 'w', done));
  const writes = [0, 1, 2].map((at) => told((done) => sftp.write(handle, Buffer.from('x'), 0, 1, at, done)));
  const outcomes = await Promise.allSettled(writes);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  await expect(told((done) => sftp.close(handle, done))).rejects.toThrow('no room');
  expect([abandoned, sizes]).toEqual([['/f'], [1]]);
  client.end();
});

test('who has as many connections as they may have gets no more until one ends', async () => {
  const shares = [
    { holder: 'of ana', connectionsMax: 2 },
    { holder: 'of all', connectionsMax: 10 },
  ];
  const { port } = await start({}, { sharesOf: () => shares });
  const [one, two] = [await signIn(port), await signIn(port)];
  await expect(signIn(port)).rejects.toThrow();
  expect(server!.signedIn()).toBe(2);
  two.end();
  await once(two, 'close');
  await expect.poll(() => server!.signedIn()).toBe(1);
  const again = await signIn(port);
  expect(await channelOf(one)).toBeDefined();
  for (const client of [one, again]) client.end();
});

test('a line that drops gives up each file once', async () => {
  const { port, abandoned, files } = await start();
  const client = await signIn(port);
  const sftp = await channelOf(client);
  for (const name of ['/one', '/two']) await told((done) => sftp.open(name, 'w', done));
  (client as unknown as { _sock: Socket })._sock.destroy();
  await expect.poll(() => abandoned.toSorted()).toEqual(['/one', '/two']);
  await sleep(50);
  expect(abandoned).toHaveLength(2);
  expect(files.size).toBe(0);
});

test('connections, channels and open files are bounded', async () => {
  const { port } = await start({ connectionsPerAddress: 2 });
  const [one, two] = [await signIn(port), await signIn(port)];
  await expect(signIn(port)).rejects.toThrow();
  two.end();
  await once(two, 'close');
  const again = await signIn(port);
  for (let channel = 0; channel < roomy.channelsMax; channel++) await channelOf(again);
  await expect(channelOf(again)).rejects.toThrow();
  const sftp = await channelOf(one);
  for (let file = 0; file < roomy.handlesMax; file++) await told((done) => sftp.open(`/f${file}`, 'w', done));
  await expect(told((done) => sftp.open('/more', 'w', done))).rejects.toThrow('more than 4 files are open');
  again.end();
  one.end();
});

test('a proxy says whom it connects: limits and whoever signs in are of that address', async () => {
  const seen: string[] = [];
  const signIn = async ({ login, ip }: { login: string; ip: string }) => {
    seen.push(ip);
    return login;
  };
  const isProxy = (ip: string) => ip === '127.0.0.1';
  const { port } = await start({ connectionsPerAddress: 1 }, { isProxy, signIn });
  const behind = async (first: string | Buffer, after: string | Buffer = '', how: ConnectConfig = {}) => {
    const sock = connect(port, '127.0.0.1');
    await once(sock, 'connect');
    sock.write(first);
    // The rest of a header may come by itself.
    await sleep(20);
    sock.write(after);
    return clientOver(sock, how);
  };
  const header = Buffer.from('0d0a0d0a000d0a515549540a2111000ccb0071090a000001d43107e6', 'hex');
  const clients = [
    await behind('PROXY TCP4 203.0.113.7 10.0.0.1 5432', '1 2022\r\n'),
    await behind('PROXY TCP4 203.0.113.8 10.0.0.1 54321 2022\r\n'),
    await behind(header.subarray(0, 15), header.subarray(15)),
  ];
  expect(seen).toEqual(['203.0.113.7', '203.0.113.8', '203.0.113.9']);
  // What was hung up on before the client looks is not seen as such by it.
  const soon = { readyTimeout: 2_000 };
  for (const refused of ['PROXY TCP4 203.0.113.8 10.0.0.1 54322 2022\r\n', '', 'PROXY TCP4 somebody\r\n'])
    await expect(behind(refused, '', soon)).rejects.toThrow();
  expect(seen).toHaveLength(3);
  for (const client of clients) client.end();
});

test('a client that asks for ever more and takes nothing is cut off', async () => {
  const { port, files } = await start();
  files.set('/large', Buffer.alloc(1_000_000));
  const client = await signIn(port);
  const sftp = await channelOf(client);
  const handle = await told<Buffer>((done) => sftp.open('/large', 'r', done));
  // It never makes room for more than the first answers.
  (client as unknown as { _protocol: { channelWindowAdjust(): void } })._protocol.channelWindowAdjust = () => {};
  const closed = once(sftp, 'close');
  const buffer = Buffer.alloc(32_768);
  for (let at = 0; at < 2_000; at++) sftp.read(handle, buffer, 0, buffer.length, 0, () => {});
  await closed;
  client.end();
});

test('a server goes on after whatever bytes come', async () => {
  const { port } = await start();
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  const noise = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
  for (let at = 0; at < 40; at++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {}).resume();
    if (at % 2 === 0) socket.write('SSH-2.0-noise\r\n');
    socket.end(noise(1 + Math.floor(random() * 5_000)));
    await once(socket, 'close');
  }
  // Within a channel: packets of SFTP of every type, with noise for a body.
  for (let type = 0; type < 22; type++) {
    const client = await signIn(port);
    const sftp = await channelOf(client);
    const inner = sftp as unknown as {
      _protocol: { channelData(id: number, data: Buffer): void };
      outgoing: { id: number };
    };
    sftp.on('error', () => {});
    for (let round = 0; round < 5; round++) {
      const body = noise(Math.floor(random() * 60));
      const packet = Buffer.concat([Buffer.alloc(4), Buffer.of(type), body]);
      packet.writeUInt32BE(body.length + 1);
      inner._protocol.channelData(inner.outgoing.id, packet);
    }
    client.end();
    await once(client, 'close');
  }
  const client = await signIn(port);
  expect(await told((done) => client.sftp(done))).toBeDefined();
  client.end();
});

test('paths lead nowhere but into the tree', () => {
  expect(readPath('.')).toEqual([]);
  expect(readPath('/batch//in/./x.csv')).toEqual(['batch', 'in', 'x.csv']);
  expect(readPath('../../a/../../b')).toEqual(['b']);
  expect(writePath(readPath('batch/in/..'))).toBe('/batch');
  expect(() => readPath('a\0b')).toThrow('NUL');
  expect(() => readPath('a'.repeat(256))).toThrow('255 bytes');
  expect(() => readPath('\uFFFD')).toThrow('UTF-8');
});

test('public keys are read as ssh-keygen writes them; private, short and foreign ones are not', () => {
  // Of RFC 8032's first test vector: its public key in the form of OpenSSH, and what ssh-keygen -l says of it.
  const line = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea';
  expect(readPublicKey(`${line} ana@laptop`)).toMatchObject({ line, comment: 'ana@laptop' });
  expect(readPublicKey(hostKey.privateKey)).toContain('is a private key');
  expect(readPublicKey('ssh-ed25519 AAAA')).toContain('is no public key');
  expect(readPublicKey('hello')).toContain('is no public key');
  expect(readPublicKey(ssh2.utils.generateKeyPairSync('rsa', { bits: 1024 }).public)).toContain('less than 2048 bits');
  expect(readPublicKey(ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 }).public)).toMatchObject({ comment: '' });
  expect(fingerprintOf(hostKey.privateKey)).toBe(hostKey.fingerprint);
});

test('every host key that is made can be read', () => {
  for (let made = 0; made < 1_500; made++) expect(makeHostKey().fingerprint).toMatch(/^SHA256:/);
});
