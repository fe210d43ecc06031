import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  allGone,
  eventually,
  killAll,
  launchElsewhere,
  nodeElsewhere,
  nodesElsewhere,
  processesOf,
  query,
  reachableFolder,
  victims,
} from '../../../tests/support/samples/lib-postgres.ts';
import { Failure } from '../failure.ts';
import { type LaunchOptions, launchPostgres, type Postgres } from './launch.ts';

const isRoot = process.getuid?.() === 0;

describe.runIf(process.platform === 'linux')('the embedded PostgreSQL', () => {
  // One cluster lives through all of this.
  let dataDir: string;
  let launched: Postgres[] = [];

  beforeAll(() => {
    dataDir = reachableFolder();
  });
  afterEach(async () => {
    killAll(nodesElsewhere.splice(0).map((node) => node.pid!));
    for (const postgres of launched) await postgres.close();
    launched = [];
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  async function launch(options: Partial<LaunchOptions> = {}): Promise<Postgres> {
    const postgres = await launchPostgres({ dataDir, log: () => {}, ...options });
    launched.push(postgres);
    return postgres;
  }

  test('starts though it was killed while the cluster was being made', async () => {
    const node = nodeElsewhere(dataDir);
    while (!existsSync(join(dataDir, 'cluster/data.new/base'))) await sleep(5);
    killAll([node.pid!]);
    const postgres = await launch();
    expect(await query(postgres.connection, 'select 1')).toEqual([1]);
  });

  test('runs on a private socket, durably, and is gone after close', async () => {
    const postgres = await launch();
    expect(postgres.attached).toBe(false);
    const durable = "setting = 'on' and name in ('fsync', 'synchronous_commit', 'full_page_writes')";
    expect(await query(postgres.connection, `select 1 from pg_settings where ${durable}`)).toEqual([1, 1, 1]);
    expect(await query(postgres.connection, "select 1 where current_setting('listen_addresses') = ''")).toEqual([1]);
    const locale = "datname = current_database() and datlocprovider = 'b' and datlocale = 'C.UTF-8'";
    expect(await query(postgres.connection, `select 1 from pg_database where ${locale}`)).toEqual([1]);
    await postgres.close();
    await allGone(dataDir);
    await expect(query(postgres.connection, 'select 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/);
  });

  test.each(Object.entries(victims))('starts with its data after kill -9 of Node and %s', async (_, alsoKilled) => {
    const { node } = await launchElsewhere(dataDir);
    const connection = { host: join(dataDir, 'cluster'), port: 5432, database: 'lastro', user: 'lastro' };
    await query(connection, 'drop table if exists kept; create table kept as select generate_series(1, 3) as n');
    killAll([node.pid!, ...alsoKilled(processesOf(dataDir))]);
    await once(node, 'exit');
    const postgres = await launch();
    expect(postgres.connection).toEqual(connection);
    expect(await query(connection, 'select n from kept order by n')).toEqual([1, 2, 3]);
    await query(connection, 'insert into kept values (4)');
  });

  test('leaves no process behind when Node is killed', async () => {
    const { node } = await launchElsewhere(dataDir);
    killAll([node.pid!]);
    await allGone(dataDir);
  });

  test.each(['postmaster', 'sh'] as const)('heals when its %s is killed under a live Node', async (which) => {
    const exits: string[] = [];
    const postgres = await launch({ onExit: (reason) => exits.push(reason) });
    await query(postgres.connection, 'drop table if exists kept; create table kept as select 7 as n');
    killAll([processesOf(dataDir)[which]]);
    while (exits.length === 0) await sleep(10);
    expect(await eventually(() => query(postgres.connection, 'select n from kept'))).toEqual([7]);
    expect(exits).toHaveLength(1);
    expect(postgres.attached).toBe(false);
  });

  test('is stopped by close though the one who stops it was killed', async () => {
    const postgres = await launch();
    killAll([processesOf(dataDir).watch]);
    await postgres.close();
    await allGone(dataDir);
  });

  test('is shared with a second process, which never stops it', async () => {
    const { node } = await launchElsewhere(dataDir);
    const { postmaster } = processesOf(dataDir);
    const second = await launch();
    expect(second.attached).toBe(true);
    await second.close();
    expect(await query(second.connection, 'select 1')).toEqual([1]);
    expect(processesOf(dataDir).postmaster).toBe(postmaster);
    killAll([node.pid!]);
    await allGone(dataDir);
  });

  test('is taken over by who shared it when its owner is killed', async () => {
    const { node } = await launchElsewhere(dataDir);
    const second = await launch();
    killAll([node.pid!]);
    await once(node, 'exit');
    while (second.attached) await sleep(10);
    expect(await query(second.connection, 'select 1')).toEqual([1]);
  });

  test('is not shared any more once its owner is dead, though it still answers', async () => {
    const { node } = await launchElsewhere(dataDir);
    const { watch } = processesOf(dataDir);
    process.kill(watch, 'SIGSTOP');
    killAll([node.pid!]);
    await once(node, 'exit');
    const waiting = launch();
    const early = await Promise.race([waiting.then(() => 'launched'), sleep(500, 'waiting')]);
    process.kill(watch, 'SIGCONT');
    expect(early).toBe('waiting');
    expect((await waiting).attached).toBe(false);
  });

  test('one of two that start at the same moment runs it, the other shares it', async () => {
    const both = await Promise.all([launch(), launch()]);
    expect(both.map((postgres) => postgres.attached).sort()).toEqual([false, true]);
  });

  test('starts over stale files that name an innocent process', async () => {
    const lines = [process.pid, join(dataDir, 'cluster/data'), 1, 5432, join(dataDir, 'cluster'), '', ' 1 1', 'ready'];
    await writeFile(join(dataDir, 'cluster/data/postmaster.pid'), lines.join('\n'));
    await writeFile(join(dataDir, 'cluster/.s.PGSQL.5432.lock'), lines.join('\n'));
    await launch();
  });

  test('refuses data of another major version, untouched', async () => {
    await writeFile(join(dataDir, 'cluster/data/PG_VERSION'), '17\n');
    await expect(launch()).rejects.toThrow(/was made by PostgreSQL 17/);
    await writeFile(join(dataDir, 'cluster/data/PG_VERSION'), '18\n');
    await launch();
  });

  test('says why PostgreSQL does not start', async () => {
    const refusal = await launch({ settings: { shared_buffers: 'plenty' } }).catch((error) => error);
    expect(refusal).toBeInstanceOf(Failure);
    expect(refusal.message).toMatch(/invalid value for parameter "shared_buffers"/);
  });

  test('finds a shorter way to the socket when the path is too long for one', async () => {
    const postgres = await launch({ dataDir: join(dataDir, 'a-folder-with-a-long-name-'.repeat(5)) });
    expect(await query(postgres.connection, 'select 1')).toEqual([1]);
    await rm(postgres.connection.host, { recursive: true });
  });

  test.runIf(isRoot)('goes to an open folder when a closed home bars the way, and stays there', async () => {
    const home = join(dataDir, 'closed');
    await mkdir(home, { mode: 0o700 });
    const folders = { dataDir: join(home, 'data'), fallbackRoot: join(dataDir, 'open') };
    const first = await launch(folders);
    expect(first.connection.host.startsWith(folders.fallbackRoot)).toBe(true);
    await query(first.connection, 'create table kept as select 7 as n');
    await first.close();
    await chmod(home, 0o755);
    const second = await launch(folders);
    expect(await query(second.connection, 'select n from kept')).toEqual([7]);
  });

  test.runIf(isRoot)('lies in its own folder though files of this process are made for its user alone', async () => {
    const before = process.umask(0o077);
    try {
      const folders = { dataDir: join(dataDir, 'new', 'data'), fallbackRoot: join(dataDir, 'elsewhere') };
      const postgres = await launch(folders);
      expect(postgres.connection.host.startsWith(folders.dataDir)).toBe(true);
      expect(await query(postgres.connection, 'select 1')).toEqual([1]);
    } finally {
      process.umask(before);
    }
  });

  test.runIf(isRoot)('does not begin anew when the way to its data was closed', async () => {
    await chmod(dataDir, 0o700);
    await expect(launch()).rejects.toThrow(/may no longer enter/);
    await chmod(dataDir, 0o755);
  });
});
