import { createServer, type Socket } from 'node:net';
import ssh2, { type AuthContext, type Connection, type ParsedKey } from 'ssh2';
import { Failure } from '../failure.ts';
import { serveChannel } from './channel.ts';
import type { FileTree } from './file-tree.ts';
import { readProxyHeader } from './proxy-header.ts';

export type SftpServer = {
  /** How many clients are signed in. */
  signedIn(): number;
  /** Returns the port. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no more connections, and ends those that are open, each once the request that it is at has been answered. */
  close(): Promise<void>;
};

export type SftpOptions<User> = {
  /** The private key in PEM by which the server proves itself to who connects now. */
  readonly hostKey: () => Promise<string>;
  readonly limits: SftpLimits;
  /** Whether connections from an address begin with a header of the PROXY protocol; by default those of none. */
  readonly isProxy?: (ip: string) => boolean;
  /** The user whom a password, or a proved key as in `authorized_keys`, lets in; null for nobody. */
  readonly signIn: (attempt: SignIn) => Promise<User | null>;
  readonly treeOf: (user: User, ip: string) => FileTree;
  /** Of whom a user is one, by name, and how many connections these may have together; by default any number. */
  readonly sharesOf?: (user: User) => readonly Share[];
  readonly onFault: (error: unknown) => void;
};

export type SignIn = {
  readonly login: string;
  readonly ip: string;
  readonly proof: { readonly password: string } | { readonly publicKey: string };
};

export type Share = { readonly holder: string; readonly connectionsMax: number };

export type SftpLimits = {
  readonly connectionsMax: number;
  readonly connectionsPerAddress: number;
  /** Of one connection, all of one user. */
  readonly channelsMax: number;
  readonly handlesMax: number;
  readonly attemptsMax: number;
  /** Until a client has signed in. */
  readonly signInMs: number;
  /** Without a request, and none that is being answered. */
  readonly idleMs: number;
  /** The longest that a connection stays. */
  readonly connectionMs: number;
};

/** Those of OpenSSH's defaults that the library has, without SHA-1 and without CBC. */
const algorithms = {
  kex: [
    ...(['curve25519-sha256', 'curve25519-sha256@libssh.org'] as const),
    ...(['ecdh-sha2-nistp256', 'ecdh-sha2-nistp384', 'ecdh-sha2-nistp521'] as const),
    ...(['diffie-hellman-group16-sha512', 'diffie-hellman-group18-sha512'] as const),
  ],
  cipher: [
    ...(['chacha20-poly1305@openssh.com', 'aes256-gcm@openssh.com', 'aes128-gcm@openssh.com'] as const),
    ...(['aes256-ctr', 'aes192-ctr', 'aes128-ctr'] as const),
  ],
  hmac: [
    ...(['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com'] as const),
    ...(['hmac-sha2-256', 'hmac-sha2-512'] as const),
  ],
  compress: ['none'],
} satisfies ssh2.Algorithms;

/** Types of keys that let a user in. Of RSA, signatures with SHA-2 alone count. */
const keyTypes = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa'];
/** Bytes that wait in a connection until it reads no more, and until it reads on. */
const pauseBytes = 32 * 1024 * 1024;
const resumeBytes = pauseBytes / 2;
const lookEveryMsMax = 5_000;

/** An SSH server (RFC 4253) that serves SFTP alone: no shell, no commands, no forwarding. Not listening yet. */
export function openSftpServer<User>(options: SftpOptions<User>): SftpServer {
  const { hostKey, limits, isProxy = () => false, onFault } = options;
  /** With the address of who has connected, which may be another than that of the socket. */
  const sockets = new Map<string, { readonly socket: Socket; readonly client: string }>();
  let signedIn = 0;
  const perAddress = new Map<string, number>();
  const perHolder = new Map<string, number>();
  const ending = new Set<() => Promise<void>>();
  const sshWith = (key: string): ssh2.Server =>
    new ssh2.Server({ hostKeys: [key], ident: 'Lastro', algorithms }, (client, { ip, port }) => {
      const open = sockets.get(placeOf(ip, port));
      // The client has hung up since.
      if (!open) return client.end();
      const own = { ...options, perHolder };
      ending.add(serveConnection(client, open.socket, open.client, own, (end) => ending.delete(end)));
    });
  /** The library takes its key once: another key has another server, and who is connected stays with the one before. */
  let current: { readonly key: string; readonly ssh: ssh2.Server } | null = null;
  const greet = async (socket: Socket): Promise<void> => {
    const key = await hostKey();
    if (current?.key !== key) current = { key, ssh: sshWith(key) };
    if (!socket.destroyed) current.ssh.injectSocket(socket);
  };
  /** Hands a connection to the library once it is known who has connected, and has a place. */
  const begin = async (socket: Socket, ip: string, place: string): Promise<void> => {
    const client = (isProxy(ip) ? await clientBehind(socket) : null) ?? ip;
    if (socket.destroyed) return;
    if (isFull(perAddress, client, limits.connectionsPerAddress)) return void socket.destroy();
    sockets.set(place, { socket, client });
    add(perAddress, client, 1);
    socket.once('close', () => add(perAddress, client, -1));
    await greet(socket);
  };
  const listener = createServer((socket) => {
    const { remoteAddress: ip, remotePort: port } = socket;
    socket.on('error', () => {});
    if (ip === undefined || port === undefined || sockets.size >= limits.connectionsMax) return socket.destroy();
    const place = placeOf(ip, port);
    sockets.set(place, { socket, client: ip });
    // Who never says what they are is not known to the library yet.
    const timer = setTimeout(() => socket.destroy(), limits.connectionMs);
    socket.setNoDelay(true);
    socket.once('close', () => {
      clearTimeout(timer);
      sockets.delete(place);
    });
    const grace = setTimeout(() => socket.destroy(), limits.signInMs);
    socket.once('close', () => clearTimeout(grace));
    socket.once('signed in', () => {
      clearTimeout(grace);
      signedIn++;
      socket.once('close', () => signedIn--);
    });
    begin(socket, ip, place).catch((error) => {
      onFault(error);
      socket.destroy();
    });
  });
  return {
    signedIn: () => signedIn,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        listener.once('error', reject).listen(port, host, () => {
          listener.off('error', reject).on('error', onFault);
          resolve((listener.address() as { port: number }).port);
        });
      }),
    async close() {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      await Promise.all([...ending].map((end) => end()));
      for (const { socket } of sockets.values()) socket.destroy();
      await closed;
    },
  };
}

/** The client that a proxy connects; null where it speaks for itself. Hangs up on what begins otherwise. */
async function clientBehind(socket: Socket): Promise<string | null> {
  try {
    return await readProxyHeader(socket);
  } catch {
    socket.destroy();
    return null;
  }
}

function isFull(counts: ReadonlyMap<string, number>, name: string, most: number): boolean {
  return (counts.get(name) ?? 0) >= most;
}

function add(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + change;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}

function placeOf(ip: string, port: number): string {
  return `${ip} ${port}`;
}

/** Serves one connection. Returns a function that ends it. */
function serveConnection<User>(
  client: Connection,
  socket: Socket,
  ip: string,
  {
    limits,
    signIn,
    treeOf,
    sharesOf = () => [],
    perHolder,
    onFault,
  }: SftpOptions<User> & { readonly perHolder: Map<string, number> },
  onEnd: (end: () => Promise<void>) => void,
): () => Promise<void> {
  let user: User | null = null;
  let attempts = 0;
  let channels = 0;
  let waitingBytes = 0;
  let answersUnderWay = 0;
  let isLetGo = false;
  let lastRequest = Date.now();
  const givingUp = new Set<() => Promise<void>>();
  const look = (): void => {
    const isIdle = user !== null && answersUnderWay === 0 && Date.now() - lastRequest > limits.idleMs;
    if (!isIdle) return;
    // Who takes nothing does not take the farewell either.
    if (isLetGo) socket.destroy();
    else client.end();
    isLetGo = true;
  };
  const idle = setInterval(look, Math.min(lookEveryMsMax, limits.idleMs)).unref();
  const answering = async (work: () => Promise<void>): Promise<void> => {
    answersUnderWay++;
    try {
      await work();
    } finally {
      answersUnderWay--;
      lastRequest = Date.now();
    }
  };

  /** Takes a place in each share of a user, until the line ends. Returns false when one of them is full. */
  const takePlaces = (of: User): boolean => {
    const shares = sharesOf(of);
    if (shares.some(({ holder, connectionsMax }) => isFull(perHolder, holder, connectionsMax))) return false;
    for (const { holder } of shares) add(perHolder, holder, 1);
    socket.once('close', () => {
      for (const { holder } of shares) add(perHolder, holder, -1);
    });
    return true;
  };
  const waiting = (bytes: number): void => {
    waitingBytes += bytes;
    if (waitingBytes > pauseBytes) socket.pause();
    else if (waitingBytes < resumeBytes && socket.isPaused()) socket.resume();
  };
  const sent = (): Promise<void> =>
    socket.writableLength < pauseBytes || socket.destroyed
      ? Promise.resolve()
      : new Promise((resolve) => {
          const done = () => {
            socket.off('drain', done).off('close', done);
            resolve();
          };
          socket.on('drain', done).on('close', done);
        });

  client.on('authentication', (context) => {
    void judge(context, ip, signIn)
      .then((verdict) => {
        if (verdict === 'known key') return context.accept();
        if (verdict !== null) {
          if (socket.destroyed || !takePlaces(verdict.user)) return client.end();
          user = verdict.user;
          lastRequest = Date.now();
          socket.emit('signed in');
          return context.accept();
        }
        // Clients begin by asking what there is to prove, and offer each key that they have.
        if (context.method !== 'none' && ++attempts >= limits.attemptsMax) client.end();
        else context.reject(['publickey', 'password']);
      })
      .catch((error) => {
        if (!(error instanceof Failure)) onFault(error);
        client.end();
      });
  });
  client.on('session', (accept, reject) => {
    if (user === null || channels >= limits.channelsMax) return reject();
    channels++;
    // One that asks for a shell instead is refused by the library, and counts until the connection ends.
    accept().on('sftp', (acceptSftp) => {
      const tree = treeOf(user!, ip);
      const sftp = acceptSftp();
      const giveUp = serveChannel(sftp, {
        ...{ tree, handlesMax: limits.handlesMax, waiting, answering, sent, onFault },
        onRequest: () => {
          lastRequest = Date.now();
        },
      });
      givingUp.add(giveUp);
      sftp.on('close', () => {
        channels--;
        givingUp.delete(giveUp);
        void giveUp().catch(onFault);
      });
    });
  });
  // What clients send wrong, and lines that drop.
  client.on('error', () => {});
  const end = async (): Promise<void> => {
    await Promise.all([...givingUp].map((giveUp) => giveUp().catch(onFault)));
    client.end();
  };
  client.on('close', () => {
    clearInterval(idle);
    const left = [...givingUp];
    givingUp.clear();
    void Promise.all(left.map((giveUp) => giveUp().catch(onFault))).then(() => onEnd(end));
  });
  return end;
}

/** Whom an attempt lets in; 'known key' for a key that would, and that is still to be proved. */
async function judge<User>(
  context: AuthContext,
  ip: string,
  signIn: SftpOptions<User>['signIn'],
): Promise<{ user: User } | 'known key' | null> {
  const of = async (proof: SignIn['proof']) => {
    const user = await signIn({ login: context.username, ip, proof });
    return user === null ? null : { user };
  };
  if (context.method === 'password') return of({ password: context.password });
  if (context.method !== 'publickey') return null;
  const key = ssh2.utils.parseKey(context.key.data);
  if (key instanceof Error || !keyTypes.includes(key.type)) return null;
  if (context.signature === undefined) return (await of({ publicKey: lineOf(key) })) === null ? null : 'known key';
  // A signature of RSA without a name for its hash is one with SHA-1.
  if (key.type === 'ssh-rsa' && !/sha(256|512)/.test(context.hashAlgo ?? '')) return null;
  if (key.verify(context.blob!, context.signature, context.hashAlgo) !== true) return null;
  return of({ publicKey: lineOf(key) });
}

function lineOf(key: ParsedKey): string {
  return `${key.type} ${key.getPublicSSH().toString('base64')}`;
}
