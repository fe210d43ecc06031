/** Processes of every role on one database and one S3, each of which a test can kill, freeze or cut off; test support. */
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { expect } from 'vitest';
import { withClient } from '../../src/lib/db/migrate.ts';
import { Failure } from '../../src/lib/failure.ts';
import { launchPostgres, type Postgres } from '../../src/lib/postgres/launch.ts';
import { type Balancer, startBalancer } from '../balancer.ts';
import { kill, makeDataFolder, type Program, processesOf, removeDataFolder, startProgram } from '../program.ts';
import { startTestService, type TestService } from '../service.ts';
import { s3Account, s3Bucket, startS3Process } from './s3-server.ts';
import { layWire, type Wire } from './wire.ts';

export type MachineRole = 'api' | 'worker' | 'sftp';

export type Machine = {
  readonly name: string;
  readonly role: MachineRole;
  readonly folder: string;
  /** Where an API process answers; null of the others. */
  readonly url: string | null;
  readonly wires: { readonly database: Wire; readonly storage: Wire };
  program: Program;
  start(): Promise<void>;
  /** Tells it to stop, lets it end in order, and starts it again. */
  restart(): Promise<void>;
  /** Its processes, those that compute for it among them, and the one that `run.mjs` started. */
  processes(): { readonly all: readonly number[]; readonly serving: number; readonly computing: readonly number[] };
};

export type Machines = {
  readonly all: readonly Machine[];
  readonly balancer: Balancer;
  readonly sftpPort: number;
  /** An API process of the test's own on the same database and storage, which nothing strikes. */
  readonly service: TestService;
  /** Rows as the owner of the database sees them. */
  query<T extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<T[]>;
  killDatabase(): void;
  /** Cuts all machines off from the storage for so long. It is not killed: in its folder an object is not written at once. */
  cutStorage(ms: number): Promise<void>;
  close(): Promise<void>;
};

/** Starts as many of each role as `counts` says, with the settings of `more`, and a balancer before the `api`. */
export async function startMachines(
  counts: Readonly<Record<MachineRole, number>>,
  more: Readonly<Record<string, string>> = {},
): Promise<Machines> {
  const folder = makeDataFolder();
  const postgres = await launchPostgres({ dataDir: join(folder, 'postgres'), log: () => {} });
  const storage = await startS3Process(join(folder, 's3'));
  const storagePort = storage.port;
  Object.assign(process.env, s3Account);
  const service = await startTestService({ databaseUrl: urlOf(postgres), storageUrl: storageUrl(storagePort) }, 'api');
  const roles = (Object.keys(counts) as MachineRole[]).flatMap((role) =>
    Array.from({ length: counts[role] }, (_, at) => ({ role, name: `${role}-${at}` })),
  );
  const ports = await freePorts(counts.api + 2);
  const [balancerPort, sftpPort, ...apiPorts] = ports;
  const all: Machine[] = [];
  for (const { role, name } of roles) {
    const port = role === 'api' ? apiPorts[all.length] : 0;
    const wires = {
      database: await layWire(() => connect(socketOf(postgres))),
      storage: await layWire(() => connect(storagePort, '127.0.0.1')),
    };
    const own = join(folder, name);
    mkdirSync(own);
    const env = {
      ...s3Account,
      PORT: `${port}`,
      ...(role === 'sftp' && { SFTP_PORT: `${sftpPort}` }),
      PUBLIC_URL: `http://127.0.0.1:${balancerPort}`,
      LASTRO_MASTER_SECRET: readFileSync(join(service.folder, 'secret'), 'utf8').trim(),
      LASTRO_DRAIN_SECONDS: '0',
      LASTRO_TRAINING_THREADS: '1',
      DATABASE_URL: `postgres://${postgres.connection.user}@127.0.0.1:${wires.database.port}/${postgres.connection.database}`,
      STORAGE_URL: storageUrl(wires.storage.port),
      LOG_LEVEL: 'error',
      ...more,
    };
    const machine: Machine = {
      ...{ name, role, folder: own, wires, url: role === 'api' ? `http://127.0.0.1:${port}` : null },
      program: undefined as unknown as Program,
      async start() {
        for (let isUp = false; !isUp; ) {
          machine.program = startProgram(own, { role, env });
          // What it needs may be away, for which it ends: whoever runs it starts it again.
          isUp = await machine.program.said(/answers at|taking jobs/).then(
            () => true,
            () => sleep(500, false),
          );
        }
      },
      async restart() {
        kill(machine.program.pid, 'SIGTERM');
        expect(await machine.program.ended, name).toEqual({ code: 0, signal: null });
        await machine.start();
      },
      processes() {
        const found = processesOf(own, machine.program.pid);
        const serving = found.find(({ parent }) => parent === machine.program.pid)?.pid ?? machine.program.pid;
        const computing = found.filter(({ parent, command }) => parent === serving && command.includes('compute'));
        return { all: found.map(({ pid }) => pid), serving, computing: computing.map(({ pid }) => pid) };
      },
    };
    all.push(machine);
  }
  for (const machine of all) await machine.start();
  const balancer = await startBalancer(
    apiPorts.map((port) => `http://127.0.0.1:${port}`),
    balancerPort,
  );
  return {
    ...{ all, balancer, sftpPort, service },
    async query<T extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
      for (;;) {
        try {
          return await withClient(
            postgres.connection,
            async (client) => (await client.query<T>(text, [...values])).rows,
          );
        } catch (error) {
          // The database may just have been killed.
          if (!(error instanceof Failure) || error.code !== 'unavailable') throw error;
          await sleep(100);
        }
      }
    },
    killDatabase() {
      for (const { pid, command } of processesOf(join(folder, 'postgres')))
        if (command.includes('bin/postgres')) kill(pid, 'SIGKILL');
    },
    async cutStorage(ms) {
      for (const { wires } of all) wires.storage.cut('reset');
      await sleep(ms);
      for (const { wires } of all) wires.storage.mend();
    },
    async close() {
      await balancer.close();
      for (const { wires } of all) for (const wire of Object.values(wires)) wire.mend();
      for (const machine of all) for (const pid of machine.processes().all) kill(pid, 'SIGKILL');
      for (const { wires } of all) for (const wire of Object.values(wires)) wire.close();
      await service.close();
      await storage.kill();
      await postgres.close();
      await removeDataFolder(folder);
    },
  };
}

const storageUrl = (port: number) => `s3://${s3Bucket}/kept?endpoint=http://127.0.0.1:${port}&region=us-east-1`;

const socketOf = ({ connection: { host, port } }: Postgres) => join(host, `.s.PGSQL.${port}`);

const urlOf = ({ connection: { host, user, database } }: Postgres) =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;

/** Ports of this machine that nobody uses now. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
