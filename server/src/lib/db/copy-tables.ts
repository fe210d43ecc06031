// All rows of a database as files, and back: PostgreSQL's own text format of COPY, a gzipped file for each table. The
// program `pg_dump` is not there: the embedded server comes without it.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { assert, Failure } from '../failure.ts';

export type CopiedTable = {
  /** With its schema. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** Of the file, in hexadecimal. */
  readonly sha256: string;
};

export type CopiedTables = {
  readonly tables: readonly CopiedTable[];
  /** The number that each has given last; null for one that has given none. */
  readonly sequences: readonly { readonly name: string; readonly last: string | null }[];
};

const fastGzip = { level: 3 };

/**
 * Writes every table of some schemas into a folder, except for `apart`, as they are in the transaction that the client
 * is in.
 */
export async function copyTablesOut(
  client: pg.Client,
  folder: string,
  { schemas, apart }: { readonly schemas: readonly string[]; readonly apart: readonly string[] },
): Promise<CopiedTables> {
  const tables: CopiedTable[] = [];
  for (const { name, columns } of await tablesOf(client, schemas)) {
    if (apart.includes(name)) continue;
    const out = client.query(copyTo(`copy (select ${columns.join(', ')} from ${name}) to stdout`));
    const { hash, pass } = hashing();
    await pipeline(out, createGzip(fastGzip), pass, createWriteStream(fileOf(folder, name)));
    tables.push({ name, columns, rows: out.rowCount ?? 0, sha256: hash.digest('hex') });
  }
  const { rows: sequences } = await client.query<CopiedTables['sequences'][number]>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
     from pg_sequences where schemaname = any($1) order by 1`,
    [schemas],
  );
  return { tables, sequences };
}

/**
 * Fills the tables of a database that has no rows but those of its migrations, in one transaction. Triggers do not
 * fire; references are checked once all rows are there. Throws Failure 'invalid' for a file that is not as it was
 * written.
 */
export async function copyTablesIn(
  client: pg.Client,
  folder: string,
  { schemas, copied }: { readonly schemas: readonly string[]; readonly copied: CopiedTables },
): Promise<void> {
  for (const table of copied.tables) await checkFile(folder, table);
  await client.query('begin');
  const references = await referencesOf(client, schemas);
  for (const { table, name } of references) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of copied.tables) await client.query(`alter table ${name} disable trigger user`);
  const whole = await ordinaryTables(client, schemas);
  for (const table of copied.tables) {
    if (whole.has(table.name)) await client.query(`delete from ${table.name}`);
    await fill(client, folder, table);
  }
  for (const { name } of copied.tables) await client.query(`alter table ${name} enable trigger user`);
  for (const { table, name, definition } of references)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  for (const { name, last } of copied.sequences)
    if (last !== null) await client.query('select setval($1::regclass, $2::bigint)', [name, last]);
  await client.query('commit');
}

async function fill(client: pg.Client, folder: string, { name, columns, rows }: CopiedTable): Promise<void> {
  const into = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`));
  await pipeline(createReadStream(fileOf(folder, name)), createGunzip(), into);
  assert(into.rowCount === rows, `${name} has as many rows as its file`);
}

async function checkFile(folder: string, { name, sha256 }: CopiedTable): Promise<void> {
  const path = fileOf(folder, name);
  const { hash, pass } = hashing();
  await pipeline(createReadStream(path), pass.resume());
  if (hash.digest('hex') !== sha256)
    throw new Failure('invalid', `${path} is not as it was written: restore another backup`);
}

function fileOf(folder: string, table: string): string {
  return join(folder, `${table}.copy.gz`);
}

function hashing() {
  const hash = createHash('sha256');
  const pass = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { hash, pass };
}

/** The tables that are no partitions, with those of their columns that are not computed. */
async function tablesOf(client: pg.Client, schemas: readonly string[]) {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select format('%I.%I', n.nspname, c.relname) as name,
       array(select format('%I', attname) from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
    [schemas],
  );
  return rows;
}

/** Those that have no partitions, which may have rows of a migration. */
async function ordinaryTables(client: pg.Client, schemas: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind = 'r' and not c.relispartition`,
    [schemas],
  );
  return new Set(rows.map(({ name }) => name));
}

async function referencesOf(client: pg.Client, schemas: readonly string[]) {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, format('%I', conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace::regnamespace::text = any($1)
     order by 1, 2`,
    [schemas],
  );
  return rows;
}
