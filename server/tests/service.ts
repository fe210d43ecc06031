/** The whole service in this process, on a database and a folder of its own; test support. */
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Permission, Role } from '../src/access/authorize.ts';
import type { Context } from '../src/access/context.ts';
import type { OrganizationScope } from '../src/access/scope.ts';
import { type Database, system } from '../src/access/transactions.ts';
import { type Service, type Role as ServiceRole, startService } from '../src/app.ts';
import { type Config, readConfig } from '../src/config.ts';
import { openDb } from '../src/lib/db/db.ts';
import { createKey } from '../src/resources/api-keys/create.ts';
import { addMember } from '../src/resources/members/add.ts';
import { createOrganization } from '../src/resources/organizations/create.ts';
import { issueLink } from '../src/resources/sessions/link.ts';
import { addUser } from '../src/resources/users/add.ts';
import { checkDeclared, checkProblem } from './problems.ts';
import { copyTestDatabase, createTestDatabase } from './support/samples/lib-db.ts';

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON, or undefined. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
};

export type Client = {
  readonly key: string;
  send(
    method: string,
    path: string,
    options?: {
      body?: unknown;
      raw?: string | Uint8Array;
      headers?: Record<string, string>;
      /** Hangs up after the first part of the answer, which has no end. */
      isEndless?: boolean;
    },
  ): Promise<Reply>;
  get(path: string): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Declares and sends a file; returns its id. */
  upload(path: string, bytes: Uint8Array | string, contentType?: string): Promise<string>;
  uploadFile(file: string): Promise<string>;
  /** Asks again until the status is none of `queued`, `running`. */
  finished(path: string): Promise<Reply>;
};

export type Tenant = {
  readonly ctx: Context;
  readonly userId: string;
  /** The Creator's. */
  readonly client: Client;
  /** A client whose key acts with a role in this workspace. */
  as(role: Role, scopes?: readonly Permission[]): Promise<Client & { keyId: string; userId: string }>;
  /** A client of somebody new who is signed in, with a role in this workspace or in the whole organization. */
  signedIn(
    role: Role,
    place: 'workspace' | 'organization',
  ): Promise<Client & { userId: string; headers: Readonly<Record<string, string>> }>;
};

/** What is known of a tenant: with the secret of its Creator's key. */
export type KnownTenant = { readonly ctx: Context; readonly userId: string; readonly secret: string };

export type TestService = {
  readonly service: Service;
  readonly folder: string;
  readonly url: string;
  /** Of its database, for a second service beside it. */
  readonly databaseUrl: string;
  /** Its database as the owner of the tables, who sees every row. */
  readonly owner: Database;
  anonymous: Client;
  tenant(name: string, options?: { timeZone?: string; language?: 'en' | 'pt-BR' }): Promise<Tenant>;
  /** One that is there already. */
  tenantOf(known: KnownTenant): Tenant;
  client(key: string): Client;
  /** Stops it and leaves what it stored as it is. */
  stop(): Promise<void>;
  close(): Promise<void>;
};

/** What a service has stored: the name of a database, and a folder. */
export type Stored = { readonly database: string; readonly folder: string };

/** Whether this test asks for pages: others need not read a thousand files of them into memory for each service. */
const isInBrowser = (): boolean => expect.getState().testPath?.includes('/dashboard/') ?? false;

/** Starts a service, on a copy of what another one stored if that is given. It stops, with all it stored, at `close`. */
export async function startTestService(
  overrides: Partial<Config> = {},
  role: ServiceRole = 'all',
  copied?: Stored,
): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-service-'));
  // The user of an embedded database may enter it, so that the database lies in it, and goes with it.
  chmodSync(folder, 0o755);
  if (copied) cpSync(copied.folder, folder, { recursive: true });
  const database = copied ? await copyTestDatabase(copied.database) : await createTestDatabase(schemaFolder);
  const config: Config = {
    ...readConfig({
      PORT: '0',
      LASTRO_DATA_DIR: folder,
      LASTRO_DASHBOARD_DIR: isInBrowser() ? '' : join(folder, 'no-dashboard'),
      LASTRO_DEMO: '0',
      // Whether it is night on the clocks of a workspace is not a test's to say.
      LASTRO_REPLAY_SAMPLE: '0',
      LASTRO_COMPUTE_PROCESSES: '1',
      LOG_LEVEL: 'error',
      DATABASE_URL: database.url,
    }),
    ...overrides,
  };
  const service = await startService(config, role);
  const owner: Database = openDb({ connectionString: database.url }, { max: 2 });
  const { url } = service;
  const client = (key: string) => openClient(url, key);
  const started: TestService = {
    service,
    folder,
    url,
    databaseUrl: database.url,
    owner,
    anonymous: openClient(url, ''),
    client,
    async tenant(name, options = {}) {
      const { db } = service.app;
      const { ctx, userId } = await createOrganization(db, {
        organization: name,
        workspace: `${name} workspace`,
        email: `creator@${name.toLowerCase().replace(/\W+/g, '-')}.example`,
        ...options,
      });
      const { secret } = await createKey(db, ctx, { name: `${name} key`, userId });
      return started.tenantOf({ ctx, userId, secret });
    },
    tenantOf({ ctx, userId, secret }) {
      const { db } = service.app;
      let members = 0;
      const addAs = (role: Role, place: 'workspace' | 'organization'): Promise<string> => {
        members++;
        const email = `${role}-${members}@${ctx.organizationId.replace('_', '-')}.example`;
        const scope = place === 'workspace' ? ctx : ({ ...ctx, workspaceId: null } as Context<OrganizationScope>);
        return system(db, 'test', async (tx) => {
          const userId = await addUser(tx, { email });
          await addMember(tx, scope, { userId, email, role });
          return userId;
        });
      };
      return {
        ctx,
        userId,
        client: client(secret),
        async as(role, scopes) {
          const member = await addAs(role, 'workspace');
          const made = await createKey(db, ctx, { name: `${role} key`, userId: member, ...(scopes ? { scopes } : {}) });
          return { ...client(made.secret), keyId: made.id, userId: member };
        },
        async signedIn(role, place) {
          const userId = await addAs(role, place);
          const token = await system(db, 'test', (tx) => issueLink(service.app, tx, userId));
          const reply = await fetch(`${url}/v1/api/sessions/link`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', origin: url },
            body: JSON.stringify({ token }),
          });
          if (reply.status !== 201) throw new Error(`sign-in: ${reply.status} ${await reply.text()}`);
          const cookies = reply.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
          const headers = {
            ...{ cookie: cookies.join('; '), origin: url },
            ...{ 'lastro-workspace': ctx.workspaceId, 'lastro-organization': ctx.organizationId },
          };
          return { ...openClient(url, '', headers), userId, headers };
        },
      };
    },
    async stop() {
      await service.close();
      await owner.close();
    },
    async close() {
      await started.stop();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return started;
}

const schemaFolder = join(import.meta.dirname, '../src/schema');
const pollMs = 50;
const pollMaxMs = 2_000;
/** How much longer than needed a wait may become. Who asked on and on took the processor from what was waited for. */
const pollShare = 0.05;
const typeOf: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  jsonl: 'application/jsonl',
};

async function firstPart(answer: Response): Promise<string> {
  const reader = answer.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

/** `always` are headers of every request, such as those of a session. */
export function openClient(url: string, key: string, always: Readonly<Record<string, string>> = {}): Client {
  const send: Client['send'] = async (method, path, { body, raw, headers = {}, isEndless } = {}) => {
    const answer = await fetch(path.startsWith('http') ? path : `${url}${path}`, {
      method,
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...always,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(raw === undefined ? (body === undefined ? {} : { body: JSON.stringify(body) }) : { body: raw as never }),
      redirect: 'manual',
    });
    const text = isEndless ? await firstPart(answer) : await answer.text();
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      // Not every answer is JSON.
    }
    const reply = { status: answer.status, headers: answer.headers, text, body: parsed };
    if (answer.status >= 400 && method !== 'HEAD') {
      checkProblem(reply);
      checkDeclared(method, path, reply);
    }
    return reply;
  };
  const client: Client = {
    key,
    send,
    get: (path) => send('GET', path),
    post: (path, body, headers) =>
      send('POST', path, { ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) }),
    async upload(path, bytes, contentType = typeOf[path.split('.').at(-1)!] ?? 'text/csv') {
      const md5 = createHash('md5').update(bytes).digest('base64');
      const declared = await send('POST', '/v2/api/files/upload', {
        body: { files: [{ path, content_type: contentType, md5 }] },
      });
      if (declared.status !== 201) throw new Error(`upload of ${path}: ${declared.status} ${declared.text}`);
      const [{ id, upload_url, headers }] = declared.body.files;
      const put = await send('PUT', upload_url, { raw: bytes, headers });
      if (put.status !== 200) throw new Error(`PUT of ${path}: ${put.status} ${put.text}`);
      return id;
    },
    uploadFile: (file) => client.upload(basename(file), readFileSync(file)),
    async finished(path) {
      for (const began = performance.now(); ; ) {
        const reply = await send('GET', path);
        if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
        if (!['queued', 'running'].includes(reply.body.status)) return reply;
        await sleep(Math.min(pollMaxMs, Math.max(pollMs, pollShare * (performance.now() - began))));
      }
    },
  };
  return client;
}
