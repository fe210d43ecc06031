// Databases for tests, on the run's own cluster: each a copy of one template, migrated once a run.
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Client } from 'pg';
import { inject } from 'vitest';
import { migrate, readMigrations, withClient } from '../../../src/lib/db/migrate.ts';
import type { PostgresConnection } from '../../../src/lib/postgres/launch.ts';

export type TestDatabase = {
  readonly connection: PostgresConnection;
  /** The same as an address. */
  readonly url: string;
  drop(): Promise<void>;
};

/** A database of its own as the migrations of `folder` leave it, or an empty one. The caller drops it. */
export async function createTestDatabase(folder?: string): Promise<TestDatabase> {
  return copyTestDatabase(folder === undefined ? 'template0' : await makeTemplate(await testCluster(), folder));
}

/** A copy of a database that nobody is connected to. The caller drops it. */
export async function copyTestDatabase(template: string): Promise<TestDatabase> {
  const cluster = await testCluster();
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const maintenance = { ...cluster, database: 'postgres' };
  await withClient(maintenance, (client) => client.query(`create database ${database} template ${template}`));
  return {
    connection: { ...cluster, database },
    url: `postgres://${cluster.user}@localhost/${database}?host=${encodeURIComponent(cluster.host)}`,
    async drop() {
      await withClient(maintenance, (client) => client.query(`drop database ${database} with (force)`));
    },
  };
}

/** Runs `work` with a connection to the cluster while nobody else in the run does under that name. */
export async function alone<T>(name: string, work: (client: Client) => Promise<T>): Promise<T> {
  return withClient({ ...(await testCluster()), database: 'postgres' }, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    return work(client);
  });
}

/** The folder of the run, which goes with it. */
export const runFolder = (): string => dirname(inject('clusterSocket'));

async function testCluster(): Promise<PostgresConnection> {
  const socket = connect(inject('clusterSocket'));
  await once(socket, 'connect');
  const answer = JSON.parse(await text(socket)) as PostgresConnection | { error: string };
  if ('error' in answer) throw new Error(answer.error);
  return answer;
}

/** The first to ask makes it, under a lock; a name that ends in its hash stands for a finished one. */
async function makeTemplate(cluster: PostgresConnection, folder: string): Promise<string> {
  const hashes = (await readMigrations(folder)).map(({ name, sha256 }) => `${name} ${sha256}`);
  const template = `template_${createHash('sha256').update(hashes.join('\n')).digest('hex').slice(0, 16)}`;
  const unfinished = `unfinished_${template}`;
  await alone(template, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    if (rowCount !== 0) return;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished} template template0`);
    await migrate({ ...cluster, database: unfinished }, folder);
    await client.query(`alter database ${unfinished} rename to ${template}`);
  });
  return template;
}
