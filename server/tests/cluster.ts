// One PostgreSQL for a whole run of tests, started when the first test asks for a database and gone with the run.
// It lives in the process that outlives every test file, and speaks to them over a socket.
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { Postgres } from '../src/lib/postgres/launch.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A socket that answers every connection with the cluster's `PostgresConnection`, as JSON, or `error` in it. */
    clusterSocket: string;
  }
}

/** Nothing here outlives the run, so that nothing needs to reach the disk. */
const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '200' };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-tests-'));
  await chmod(folder, 0o755);
  let launched: Promise<Postgres> | undefined;
  const server = createServer(async (socket) => {
    launched ??= launch(folder);
    const answer = await launched.then(({ connection }) => connection, describe);
    socket.on('error', () => {});
    socket.end(JSON.stringify(answer));
  });
  const path = join(folder, 'cluster.sock');
  await new Promise<void>((resolve) => server.listen(path, resolve));
  project.provide('clusterSocket', path);
  return async () => {
    server.close();
    await launched?.then(
      (postgres) => postgres.close(),
      () => {},
    );
    rmSync(folder, { recursive: true });
  };
}

async function launch(folder: string): Promise<Postgres> {
  const { launchPostgres } = await import('../src/lib/postgres/launch.ts');
  return launchPostgres({ dataDir: join(folder, 'postgres'), log: () => {}, settings });
}

function describe(error: unknown): { error: string } {
  return { error: error instanceof Error ? error.message : String(error) };
}
