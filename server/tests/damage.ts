/** Stored objects that are damaged behind the service's back, and every way in which they are used; test support. */
import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { tenant as tenantDoor } from '../src/access/transactions.ts';
import { startService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { currentIdentifiers, currentSnapshot } from '../src/serving/snapshot.ts';
import { type Client, openClient, type Reply, type Tenant, type TestService } from './service.ts';
import type { World } from './world.ts';
import { startWorlds } from './worlds.ts';

export type Stage = {
  readonly service: TestService;
  readonly tenant: Tenant;
  readonly world: World;
  /** The local file with the bytes of each stored object of the workspace, by key. */
  files(): Map<string, string>;
};

export async function openStage(): Promise<Stage> {
  const { service, a } = await startWorlds({ logLevel: 'silent' });
  const own = `${a.tenant.ctx.organizationId}/${a.tenant.ctx.workspaceId}/`;
  const files = () => [...filesOf(join(service.folder, 'files'))].filter(([key]) => key.startsWith(own));
  return { service, ...a, files: () => new Map(files()) };
}

export function filesOf(root: string): Map<string, string> {
  const records = readdirSync(root, { recursive: true, withFileTypes: true }).filter(({ name }) =>
    name.endsWith('~.json'),
  );
  return new Map(
    records.map(({ parentPath, name }) => {
      const { key, data } = JSON.parse(readFileSync(join(parentPath, name), 'utf8'));
      return [key, join(parentPath, data)];
    }),
  );
}

/** Flips one bit of a file. Flipping it again mends the file. */
export function flip(path: string, bit: number): void {
  const file = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, bit >> 3);
  byte[0] ^= 1 << (bit & 7);
  writeSync(file, byte, 0, 1, bit >> 3);
  closeSync(file);
}

export function bitsOf(path: string): number {
  return statSync(path).size * 8;
}

/** How something that reads the object ended: null when it went well, else the code and all that was told. */
type Ended = { readonly code: string; readonly text: string } | null;
type Use = (stage: Stage) => Promise<Ended>;

const answered = ({ status, body, text }: Reply): Ended =>
  status < 300 ? null : { code: body?.code ?? String(status), text };

const done = ({ body, text }: Reply): Ended =>
  body.status === 'succeeded' ? null : { code: body.failure?.code ?? body.status, text };

async function started(client: Client, path: string, body: unknown): Promise<Ended> {
  const begun = await client.post(path, body);
  return begun.status >= 300 ? answered(begun) : done(await client.finished(`${path}/${begun.body.id}`));
}

/** Asks a service that was started just now and has opened nothing. */
async function fresh({ service, tenant }: Stage, ask: (client: Client) => Promise<Reply>): Promise<Ended> {
  const settings = { PORT: '0', LASTRO_DATA_DIR: service.folder, LASTRO_DEMO: '0', DATABASE_URL: service.databaseUrl };
  const second = await startService({ ...readConfig(settings), logLevel: 'silent' }, 'api');
  try {
    return answered(await ask(openClient(second.url, tenant.client.key)));
  } finally {
    await second.close();
  }
}

const download: Use = async ({ tenant, world }) =>
  answered(await tenant.client.get(`/v2/api/files/${world.file}/content`));
const range: Use = async ({ tenant, world }) =>
  answered(await tenant.client.send('GET', `/v2/api/files/${world.file}/content`, { headers: { range: 'bytes=3-9' } }));
const ingest: Use = ({ tenant, world }) =>
  started(tenant.client, '/v1/api/ingestions', { files: [{ file_id: world.file, table: 'customers' }] });
const train: Use = ({ tenant, world }) =>
  started(tenant.client, '/v1/api/training-runs', { task_id: world.task, feedback: false });
const batch: Use = ({ tenant, world }) =>
  started(tenant.client, '/v2/api/batches', { files: [world.file], model: `${world.model}/${world.alias}` });
const predict: Use = (stage) =>
  fresh(stage, (client) =>
    client.post(`/v1/api/prediction/${stage.world.model}/${stage.world.alias}`, {
      customer_id: `${stage.world.canary}C1`,
    }),
  );
const embed: Use = (stage) =>
  fresh(stage, (client) =>
    client.post('/v1/api/embeddings', { keys: [`${stage.world.canary}C1`], rfm_version_id: stage.world.encoder }),
  );
const exported: Use = async ({ tenant, world }) =>
  answered(await tenant.client.get(`/v1/api/rfm-versions/${world.encoder}/export`));
const result: Use = async ({ tenant, world, service }) => {
  const { body } = await tenant.client.get(`/v2/api/batches/${world.batch}/result`);
  return answered(await service.anonymous.get(body.files[0].download_url));
};
const errors: Use = async ({ tenant, world }) =>
  answered(await tenant.client.get(`/v2/api/batches/${world.batch}/errors`));

/** Which keys are of a kind, and what reads them. */
export const kinds: Readonly<
  Record<string, { readonly of: (stage: Stage) => Promise<(key: string) => boolean>; readonly uses: readonly Use[] }>
> = {
  'an uploaded file': {
    of: async ({ world }) => within(`/files/${world.file}`),
    uses: [download, range, ingest, batch],
  },
  'a part of the lake': { of: async () => within('/lake/'), uses: [ingest] },
  'frozen tables': {
    of: async (stage) => {
      const { frozen_key } = await inUse(stage);
      return (key) => key === frozen_key;
    },
    uses: [predict, batch, train, embed],
  },
  'a dictionary of names': {
    of: async (stage) => {
      const { names } = await inUse(stage);
      return (key) => key === names;
    },
    uses: [predict, batch, ingest],
  },
  'a file of a version': { of: async ({ world }) => within(`/versions/${world.version}/`), uses: [predict, batch] },
  'a file of an encoder': { of: async ({ world }) => within(`/${world.encoder}/`), uses: [embed, exported] },
  'a result': {
    of:
      async ({ world }) =>
      (key) =>
        key.includes(`/batches/${world.batch}/`) && !key.endsWith('.errors'),
    uses: [result],
  },
  'a list of bad rows': {
    of:
      async ({ world }) =>
      (key) =>
        key.includes(`/batches/${world.batch}/`) && key.endsWith('.errors'),
    uses: [errors],
  },
};

const within = (part: string) => (key: string) => key.includes(part);

async function inUse({ service, tenant: { ctx } }: Stage) {
  return tenantDoor(service.service.app.db, ctx, async (tx) => ({
    frozen_key: (await currentSnapshot(tx, ctx))!.frozen_key,
    names: await currentIdentifiers(tx, ctx),
  }));
}

/** Expects that a use of a damaged object fails by its name, and tells no path. */
export async function expectFound(stage: Stage, key: string, use: Use): Promise<void> {
  const ended = await use(stage);
  expect(ended, `${key} was not found to be damaged`).not.toBeNull();
  expect(ended!.code, ended!.text).toBe('object_damaged');
  expect(ended!.text).toContain(key.split('/').slice(2).join('/'));
  for (const path of [stage.service.folder, dirname(stage.service.folder)]) expect(ended!.text).not.toContain(path);
}

export async function expectWorks(stage: Stage, key: string, use: Use): Promise<void> {
  expect(await use(stage), `${key} is mended`).toBeNull();
}

export async function objectOf(stage: Stage, kind: string): Promise<{ key: string; path: string }> {
  const isOfKind = await kinds[kind].of(stage);
  const found = [...stage.files()].find(([key]) => isOfKind(key));
  expect(found, `there is ${kind}`).toBeDefined();
  return { key: found![0], path: found![1] };
}

/** Ways to spoil a file, each of which returns how it is undone. */
export const spoilings: Readonly<Record<string, (path: string, stage: Stage) => () => void>> = {
  'cut short': (path) => rewritten(path, () => truncateSync(path, 5)),
  lengthened: (path) => rewritten(path, () => writeFileSync(path, 'x', { flag: 'a' })),
  emptied: (path) => rewritten(path, () => truncateSync(path, 0)),
  removed: (path) => replaced(path, () => {}),
  'a link to the same bytes': (path) => replaced(path, (aside) => symlinkSync(aside, path)),
  'a folder': (path) => replaced(path, () => mkdirSync(path)),
  'another object': (path, stage) => {
    const other = [...stage.files().values()].find((each) => each !== path && each.includes('/lake/'))!;
    return replaced(path, () => linkSync(other, path));
  },
};

function rewritten(path: string, spoil: () => void): () => void {
  const before = readFileSync(path);
  spoil();
  return () => writeFileSync(path, before);
}

function replaced(path: string, replace: (aside: string) => void): () => void {
  const aside = `${path}.aside`;
  renameSync(path, aside);
  replace(aside);
  return () => {
    rmSync(path, { recursive: true, force: true });
    renameSync(aside, path);
  };
}

/** Expects that an object which is spoilt in a way is found by the first use of its kind, and read again once mended. */
export async function expectSpoiltFound(stage: Stage, kind: string, way: string): Promise<void> {
  const { key, path } = await objectOf(stage, kind);
  const [use] = kinds[kind].uses;
  const undo = spoilings[way](path, stage);
  try {
    await expectFound(stage, key, use);
  } finally {
    undo();
  }
  await expectWorks(stage, key, use);
}
