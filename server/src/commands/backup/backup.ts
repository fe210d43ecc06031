import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { readConfig } from '../../config.ts';
import { openInstallation } from '../../installation.ts';
import { copyTablesOut } from '../../lib/db/copy-tables.ts';
import { type Client, withClient } from '../../lib/db/migrate.ts';
import { Failure } from '../../lib/failure.ts';
import { readOpenJobs } from '../../lib/queue/open-jobs.ts';
import { copyObjects } from '../../lib/storage/copy-objects.ts';
import { openDisk } from '../../lib/storage/disk.ts';
import { openStorage } from '../../lib/storage/open.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { readArguments, type Usage } from '../arguments.ts';
import { requireData } from '../beside.ts';
import {
  listPoints,
  objectsFolder,
  type Point,
  pointFolder,
  pointsFolder,
  readObjects,
  schemas,
  tablesFolder,
  writeObjects,
  writePoint,
} from './point.ts';

const keepDefault = 7;
const toldEvery = 1_000;

export const backupUsage: Usage = {
  usage: 'backup <folder> [--keep <n>]',
  about: `Copies database and stored files into a folder, as of one point in time, while the service runs or not. Of files that an
earlier backup in the folder has, nothing is copied. lastro restore makes an installation of it again. The master secret (the
file secret of the data folder, or LASTRO_MASTER_SECRET) is not in it: keep that apart.

  --keep <n>    how many backups the folder keeps, the new one with them: older ones are removed; ${keepDefault} by default`,
  positionals: 1,
  options: { keep: 'value' },
};

/** Makes a backup. Returns the exit code: 1 when stored objects were damaged, of which the backup has none. */
export async function backupCommand(args: readonly string[], say: (line: string) => void): Promise<number> {
  const { words, values } = readArguments(args, backupUsage);
  const folder = words[0]!;
  const keep = Number(values.keep ?? keepDefault);
  if (!(Number.isInteger(keep) && keep >= 1))
    throw new Failure('invalid', `--keep must be a whole number of backups, 1 at least, not ${values.keep}`);
  const config = readConfig();
  requireData(config);
  const installation = await openInstallation(config);
  try {
    const storage = await openStorage(config.storageUrl, { cacheFolder: `${config.dataDir}/cache` });
    const damaged = await withClient(installation.owner, async (client) => {
      await lockAlone(client);
      const found = await makePoint(client, storage, folder, say);
      await prune(folder, keep, say);
      return found;
    });
    for (const key of damaged) say(`warning: ${key} is damaged and is not in the backup`);
    return damaged.length > 0 ? 1 : 0;
  } finally {
    await installation.close();
  }
}

/** Until the end of the session. Throws Failure 'conflict' where another backup is being made. */
async function lockAlone(client: Client): Promise<void> {
  const { rows } = await client.query<{ got: boolean }>(
    "select pg_try_advisory_lock(hashtext('lastro backup')) as got",
  );
  if (!rows[0]!.got) throw new Failure('conflict', 'another backup of this installation is being made');
}

async function makePoint(
  client: Client,
  storage: Storage,
  folder: string,
  say: (line: string) => void,
): Promise<readonly string[]> {
  const copies = await openDisk(objectsFolder(folder));
  let copied = 0;
  const tell = (): void => {
    if (++copied % toldEvery === 0) say(`${copied} stored files`);
  };
  // What takes long comes first. After the moment of the database follows what was stored meanwhile; what was removed
  // after that moment has been copied before.
  const first = await copyObjects(storage, copies, tell);
  await client.query('begin isolation level repeatable read read only');
  const made = new Date();
  const name = made.toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
  if (existsSync(pointFolder(folder, name))) throw new Failure('conflict', `${folder} has a backup of this second`);
  await mkdir(tablesFolder(folder, name), { recursive: true });
  say('the tables of the database');
  const tables = await copyTablesOut(client, tablesFolder(folder, name), { schemas, apart: ['public.migrations'] });
  const queue = await readOpenJobs(client);
  const { rows: migrations } = await client.query<{ name: string }>('select name from migrations order by name');
  const { rows: known } = await client.query<{ secret_fingerprint: string }>('select * from installation');
  const { rows: oldest } = await client.query<{ at: Date | null }>('select min(recorded_at) as at from audit_entries');
  await client.query('commit');
  const second = await copyObjects(storage, copies);
  const objects = new Map([...first.objects, ...second.objects].map((object) => [object.key, object]));
  const listed = [...objects.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  await writeObjects(folder, name, listed);
  const bytes = listed.reduce((sum, { size }) => sum + size, 0);
  const damaged = second.damaged;
  const point: Point = {
    ...{ format: 1, made_at: made.toISOString(), migrations: migrations.map((one) => one.name) },
    secret_fingerprint: known[0]?.secret_fingerprint ?? '',
    audit_since: oldest[0]!.at?.toISOString() ?? null,
    ...{ copied: tables, queue, objects: { count: listed.length, bytes }, damaged },
  };
  await writePoint(folder, name, point);
  const rows = tables.tables.reduce((sum, table) => sum + table.rows, 0);
  const fresh = first.made.bytes + second.made.bytes;
  say(
    `${pointFolder(folder, name)}: ${rows} rows of ${tables.tables.length} tables, ${listed.length} stored files of ${megabytes(bytes)}, of which ${megabytes(fresh)} were copied now`,
  );
  return damaged;
}

/** Removes the backups before the newest `keep`, what was left by one that broke off, and files that none needs. */
async function prune(folder: string, keep: number, say: (line: string) => void): Promise<void> {
  const whole = await listPoints(folder);
  const kept = whole.slice(-keep);
  for (const name of await readdir(pointsFolder(folder)))
    if (!kept.includes(name)) await rm(pointFolder(folder, name), { recursive: true });
  const needed = new Set<string>();
  for (const name of kept) for (const { key } of await readObjects(folder, name)) needed.add(key);
  const copies = await openDisk(objectsFolder(folder));
  for await (const { key } of copies.list('')) if (!needed.has(key)) await copies.delete(key);
  if (whole.length > kept.length) say(`${whole.length - kept.length} older removed, ${kept.length} kept`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
