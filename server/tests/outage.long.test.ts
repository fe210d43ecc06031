/** The service under load while its database goes away and comes back. */
import { expect, test } from 'vitest';
import { launchPostgres, type PostgresConnection } from '../src/lib/postgres/launch.ts';
import { checkTrail, type Kind, startLoad } from './load.ts';
import { kill, makeDataFolder, processesOf, removeDataFolder } from './program.ts';
import { type Client, startTestService } from './service.ts';
import { csv } from './shop.ts';
import { learnShop } from './support/samples/batches.ts';

const everyKind: readonly Kind[] = ['ready', 'predict', 'read', 'write'];

test('E64: an outside database that is stopped and started under load is missed and found again', async () => {
  const folder = makeDataFolder();
  const launch = () => launchPostgres({ dataDir: folder, log: () => {} });
  let postgres = await launch();
  const service = await startTestService({ databaseUrl: urlOf(postgres.connection) });
  try {
    const { client } = await service.tenant('Shop');
    const load = startLoad(client, (await learnShop(client)).returns.model_id);
    await load.until('predict', 200);
    const ingestion = await append(client, 'O-new');
    await postgres.close();
    for (const kind of everyKind) await load.until(kind, 503);
    expect((await service.anonymous.get('/healthz')).status).toBe(200);
    postgres = await launch();
    for (const kind of everyKind) await load.until(kind, kind === 'write' ? 201 : 200);
    await load.end();
    await checkTrail(service, load);
    expect((await client.finished(ingestion)).body).toMatchObject({ status: 'succeeded', changed: true });
  } finally {
    await service.close();
    await postgres.close();
    await removeDataFolder(folder);
  }
});

test('E64: the embedded database is started again under load, whatever of it was killed', async () => {
  const service = await startTestService({ databaseUrl: null });
  try {
    const { client } = await service.tenant('Shop');
    const load = startLoad(client, (await learnShop(client)).returns.model_id);
    const database = () =>
      processesOf(service.folder).filter(({ command }) => /^postgres:|bin\/postgres/.test(command));
    for (const [round, isVictim] of [
      ({ command }: { command: string }) => command.includes('bin/postgres'),
      () => true,
    ].entries()) {
      await load.until('predict', 200);
      const ingestion = await append(client, `O-${round}`);
      for (const { pid } of database().filter(isVictim)) kill(pid, 'SIGKILL');
      await load.until('ready', 503);
      for (const kind of everyKind) await load.until(kind, kind === 'write' ? 201 : 200);
      expect((await client.finished(ingestion)).body).toMatchObject({ status: 'succeeded', changed: true });
    }
    await load.end();
    await checkTrail(service, load);
  } finally {
    await service.close();
  }
});

function urlOf({ host, user, database }: PostgresConnection): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;
}

/** Queues an order of its own to be taken in; returns where to ask what became of it. */
async function append(client: Client, order: string): Promise<string> {
  const file = await client.upload(
    'orders.csv',
    csv('order_id,customer_id,ordered_at,amount', [[order, 'C1', '2023-06-01', 5]]),
  );
  const asked = await client.post('/v1/api/ingestions', { files: [{ file_id: file, table: 'orders' }] });
  expect(asked.status, asked.text).toBe(202);
  return `/v1/api/ingestions/${asked.body.id}`;
}
