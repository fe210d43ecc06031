/** Two organizations, each with a workspace full of the shop: made once a run, and copied; test support. */
import { renameSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../src/config.ts';
import { newId } from '../src/lib/crypto/ids.ts';
import { type KnownTenant, type Stored, startTestService, type Tenant, type TestService } from './service.ts';
import { alone, runFolder } from './support/samples/lib-db.ts';
import { makeWorld, type World } from './world.ts';

export type Inhabited = { readonly tenant: Tenant; readonly world: World };

/** Different texts, so that what is of the one is not found in the other by mistake. */
export const canaries = ['canarya5d3', 'canaryb7e1'] as const;

/** A service with two worlds of its own. Whoever reads tests of how they are made makes them anew, by `makeWorld`. */
export async function startWorlds(
  overrides: Partial<Config> = {},
): Promise<{ service: TestService; a: Inhabited; b: Inhabited }> {
  const { stored, known } = await worlds();
  const service = await startTestService(overrides, 'all', stored);
  const [a, b] = known.map(({ world, ...tenant }) => ({ tenant: service.tenantOf(tenant), world }));
  return { service, a, b };
}

type Known = KnownTenant & { readonly world: World };

const worlds = () =>
  makeOnce('worlds', (service) =>
    Promise.all([inhabit(service, 'First', canaries[0]), inhabit(service, 'Second', canaries[1])]),
  );

/**
 * Has a service filled once a run, and returns what it has stored with what `make` said of it, to be copied by
 * `startTestService`. The first to ask makes it, and all others wait.
 */
export function makeOnce<T>(
  name: string,
  make: (service: TestService) => Promise<T>,
): Promise<{ readonly stored: Stored; readonly known: T }> {
  const folder = join(runFolder(), name);
  const stored = { database: name, folder: join(folder, 'data') };
  const list = join(folder, 'known.json');
  return alone(name, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [stored.database]);
    if (rowCount !== 0) return { stored, known: JSON.parse(await readFile(list, 'utf8')) };
    const service = await startTestService();
    const known = await make(service);
    await settled(service);
    await service.stop();
    await mkdir(folder);
    renameSync(service.folder, stored.folder);
    await writeFile(list, JSON.stringify(known));
    await client.query(`alter database ${new URL(service.databaseUrl).pathname.slice(1)} rename to ${stored.database}`);
    return { stored, known };
  });
}

async function inhabit(service: TestService, name: string, canary: string): Promise<Known> {
  const tenant = await service.tenant(name);
  const world = await makeWorld(tenant, canary, 1);
  await addEncoder(service, world.encoder);
  return { ctx: tenant.ctx, userId: tenant.userId, secret: tenant.client.key, world };
}

/** Adds a second version of an encoder, which is a copy: learning one takes longer than all else. */
async function addEncoder({ owner }: TestService, encoder: string): Promise<void> {
  await owner.pool.query(
    `insert into rfm_versions
     select (jsonb_populate_record(v, jsonb_build_object('id', $1::text, 'number', v.number + 1))).*
     from rfm_versions as v where id = $2`,
    [newId('rfm'), encoder],
  );
}

/** Waits until everything that was asked for has ended, and nothing of it waits to be told or sealed. */
async function settled({ owner }: TestService): Promise<void> {
  for (;;) {
    const { rows } = await owner.pool.query(`select
      exists (select from pgboss.job where state in ('created', 'retry', 'active'))
      or exists (select from events where position is null)
      or exists (select from events, event_readers where events.position > event_readers.position)
      or exists (select from audit.unsealed) as busy`);
    if (!rows[0].busy) return;
    await sleep(100);
  }
}
