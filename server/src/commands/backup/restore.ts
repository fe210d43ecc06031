import { existsSync } from 'node:fs';
import { system } from '../../access/transactions.ts';
import { startService } from '../../app.ts';
import { type Config, readConfig } from '../../config.ts';
import { fingerprintOf, type Installation, openInstallation, schemaFolder, secretFile } from '../../installation.ts';
import { copyTablesIn } from '../../lib/db/copy-tables.ts';
import { migrate, readMigrations, withClient } from '../../lib/db/migrate.ts';
import { Failure } from '../../lib/failure.ts';
import { copyObjects } from '../../lib/storage/copy-objects.ts';
import { openDisk } from '../../lib/storage/disk.ts';
import { openStorage } from '../../lib/storage/open.ts';
import type { App } from '../../resources/app.ts';
import { forgetLostFiles } from '../../resources/files/forget-lost.ts';
import { readArguments, type Usage } from '../arguments.ts';
import { listPoints, objectsFolder, type Point, readObjects, readPoint, schemas, tablesFolder } from './point.ts';

const toldEvery = 1_000;

export const restoreUsage: Usage = {
  usage: 'restore <folder> [--point <name>]',
  about: `Makes an installation again from a backup, in an empty place: LASTRO_DATA_DIR, or DATABASE_URL and STORAGE_URL, name one
that has no data. Put the master secret there first (the file secret, or LASTRO_MASTER_SECRET). A backup of an earlier release
is brought up to this one. Then start the service.

  --point <name>    which backup of the folder; the newest by default`,
  positionals: 1,
  options: { point: 'value' },
};

/** Fills an empty installation from a backup. Throws Failure 'invalid' for a place that is not empty, or other keys. */
export async function restoreCommand(args: readonly string[], say: (line: string) => void): Promise<number> {
  const { words, values } = readArguments(args, restoreUsage);
  const folder = words[0]!;
  const name = await choosePoint(folder, values.point);
  const point = await readPoint(folder, name);
  const until = await countMigrations(point);
  const config = readConfig();
  if (config.masterSecret === null && !existsSync(secretFile(config)))
    throw new Failure(
      'invalid',
      `the master secret is missing: put that of the installation into ${secretFile(config)}, or set LASTRO_MASTER_SECRET`,
    );
  const installation = await openInstallation(config);
  try {
    refuseOtherSecret(installation, point);
    await migrate(installation.owner, schemaFolder, { until });
    await requireEmpty(installation);
    await restoreObjects(config, folder, name, say);
    await restoreTables(installation, folder, name, point);
    await begin(config, folder, name, point, say);
  } finally {
    await installation.close();
  }
  const rows = point.copied.tables.reduce((sum, table) => sum + table.rows, 0);
  say(`as of ${point.made_at}: ${rows} rows, ${point.objects.count} stored files; start the service`);
  for (const key of point.damaged) say(`warning: ${key} was damaged when the backup was made, and is missing`);
  return 0;
}

async function choosePoint(folder: string, asked: string | undefined): Promise<string> {
  const names = await listPoints(folder);
  if (names.length === 0) throw new Failure('invalid', `${folder} has no whole backup`);
  if (asked === undefined) return names.at(-1)!;
  if (names.includes(asked)) return asked;
  throw new Failure('invalid', `${folder} has no backup ${asked}; it has ${names.join(', ')}`);
}

/** How many migrations the backup has had. Throws Failure 'invalid' for one that this version does not have. */
async function countMigrations({ migrations }: Point): Promise<number> {
  const here = await readMigrations(schemaFolder);
  for (const [at, name] of migrations.entries())
    if (here[at]?.name !== name)
      throw new Failure('invalid', `the backup was made by a newer version of this program, which had ${name}`);
  return migrations.length;
}

function refuseOtherSecret({ master }: Installation, { secret_fingerprint }: Point): void {
  if (fingerprintOf(master) === secret_fingerprint) return;
  throw new Failure(
    'invalid',
    'the backup is of an installation with another master secret, with which what is sealed in it cannot be read: set LASTRO_MASTER_SECRET, or the file secret of the data folder, to that one',
  );
}

/** Objects that nobody knows do no harm: what breaks off can be begun anew. */
async function restoreObjects(
  config: Config,
  folder: string,
  name: string,
  say: (line: string) => void,
): Promise<void> {
  const storage = await openStorage(config.storageUrl, { cacheFolder: `${config.dataDir}/cache` });
  const copies = await openDisk(objectsFolder(folder));
  let copied = 0;
  const { objects } = await copyObjects(copies, storage, () => {
    if (++copied % toldEvery === 0) say(`${copied} stored files`);
  });
  const there = new Map(objects.map(({ key, sha256 }) => [key, sha256]));
  for (const { key, sha256 } of await readObjects(folder, name))
    if (there.get(key) !== sha256) throw new Failure('invalid', `${folder} has lost ${key}, or it is damaged there`);
}

async function requireEmpty({ owner }: Installation): Promise<void> {
  const found = await withClient(owner, (client) => client.query('select from organizations limit 1'));
  if (found.rowCount !== 0)
    throw new Failure('invalid', 'the database has data: restore into one that has none, such as a new data folder');
}

async function restoreTables({ owner }: Installation, folder: string, name: string, point: Point): Promise<void> {
  const { copied, audit_since } = point;
  await withClient(owner, async (client) => {
    // Months of the audit trail get partitions of their own, as they had.
    if (audit_since !== null) await client.query('select make_audit_months($1)', [audit_since]);
    await copyTablesIn(client, tablesFolder(folder, name), { schemas, copied });
  });
}

/** Has what had not ended go on, and what was deleted while the backup was made be deleted. */
async function begin(
  config: Config,
  folder: string,
  name: string,
  { made_at, queue: { jobs, weights } }: Point,
  say: (line: string) => void,
): Promise<void> {
  const service = await startService({ ...config, demo: false }, 'none');
  const { db, queue }: App = service.app;
  try {
    await system(db, 'restore', async (tx) => {
      for (const { queue: name, data, priority, group, singletonKey } of jobs) {
        const options = { priority, ...(group !== null && { group }), ...(singletonKey !== null && { singletonKey }) };
        await queue.send(tx, name, data, options);
      }
    });
    for (const { group, weight } of weights) await queue.weigh(group, weight);
    const keys = (await readObjects(folder, name)).map(({ key }) => key);
    const lost = await forgetLostFiles(db, keys, new Date(made_at));
    if (lost > 0) say(`${lost} files that were deleted while the backup was made are deleted`);
  } finally {
    await service.close();
  }
}
