// A folder of backups: the objects of all of them, and a folder for each point in time.
//
//   objects/                             a storage on disk
//   points/2026-01-31T03-00-00Z/         tables/, objects.jsonl.gz, and last of all backup.json
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { CopiedTables } from '../../lib/db/copy-tables.ts';
import { Failure } from '../../lib/failure.ts';
import type { OpenJobs } from '../../lib/queue/open-jobs.ts';
import type { CopiedObject } from '../../lib/storage/copy-objects.ts';

/** What a backup says of itself; a folder without it is none, or not whole. */
export type Point = {
  readonly format: 1;
  readonly made_at: string;
  /** Names of the migrations that the database has had. */
  readonly migrations: readonly string[];
  /** Of the master secret, which is not in the backup. */
  readonly secret_fingerprint: string;
  /** The moment of the oldest entry of the audit trail; null without one. */
  readonly audit_since: string | null;
  readonly copied: CopiedTables;
  readonly queue: OpenJobs;
  readonly objects: { readonly count: number; readonly bytes: number };
  /** Keys of objects that were damaged when the backup was made, and are not in it. */
  readonly damaged: readonly string[];
};

/** The schemas of the database that are ours. The queue's is not: its jobs are kept in `Point.queue`. */
export const schemas = ['public', 'audit'];

const pack = promisify(gzip);
const unpack = promisify(gunzip);

export const pointsFolder = (folder: string): string => join(folder, 'points');
export const objectsFolder = (folder: string): string => join(folder, 'objects');
export const pointFolder = (folder: string, name: string): string => join(pointsFolder(folder), name);
export const tablesFolder = (folder: string, name: string): string => join(pointFolder(folder, name), 'tables');

/** The names of the backups in a folder that are whole, oldest first. */
export async function listPoints(folder: string): Promise<string[]> {
  if (!existsSync(pointsFolder(folder))) return [];
  const names = await readdir(pointsFolder(folder));
  return names.filter((name) => existsSync(aboutFile(folder, name))).sort();
}

/** Throws Failure 'invalid' for a format that this version does not know. */
export async function readPoint(folder: string, name: string): Promise<Point> {
  const point = JSON.parse(await readFile(aboutFile(folder, name), 'utf8')) as Point;
  if (point.format !== 1) throw new Failure('invalid', `${folder} was made by a newer version of this program`);
  return point;
}

export async function writePoint(folder: string, name: string, point: Point): Promise<void> {
  await writeFile(aboutFile(folder, name), `${JSON.stringify(point, null, 2)}\n`);
}

export async function readObjects(folder: string, name: string): Promise<CopiedObject[]> {
  const text = (await unpack(await readFile(objectsFile(folder, name)))).toString();
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as CopiedObject]));
}

export async function writeObjects(folder: string, name: string, objects: readonly CopiedObject[]): Promise<void> {
  await writeFile(objectsFile(folder, name), await pack(objects.map((one) => `${JSON.stringify(one)}\n`).join('')));
}

const aboutFile = (folder: string, name: string): string => join(pointFolder(folder, name), 'backup.json');
const objectsFile = (folder: string, name: string): string => join(pointFolder(folder, name), 'objects.jsonl.gz');
