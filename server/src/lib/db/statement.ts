// A prepared statement that runs again and again, each time in a transaction of its own and in one round trip.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Db } from './db.ts';
import { isConflict, nameFailure } from './failures.ts';

export type Statement<Row> = {
  /** Runs the statement. Values are texts, null, or what `textArray` makes. */
  run(values: readonly (string | Buffer | null)[]): Promise<Row[]>;
  /** Waits for running statements. */
  close(): Promise<void>;
};

export type StatementOptions = {
  readonly name: string;
  readonly text: string;
  /** Settings of its connections for as long as these live (`role` among them). */
  readonly settings: Readonly<Record<string, string>>;
  /** Most connections it may have; each is opened when it is needed. */
  readonly connections: number;
  /** How long a run may take before the database counts as gone. */
  readonly timeoutMs: number;
};

/** Runs of a statement, counting the first, before its conflict is thrown to the caller. */
const attemptsMax = 5;
const conflictDelayMs = 5;

/**
 * Prepares a statement on connections of its own. It runs again when it conflicts with another transaction.
 * `run` throws `Failure('unavailable')` when the database does not answer; the statement may or may not have taken
 * effect.
 */
export function openStatement<Row extends pg.QueryResultRow>(
  db: Pick<Db<unknown>, 'pool'>,
  { name, text, settings, connections, timeoutMs }: StatementOptions,
): Statement<Row> {
  const pool = new pg.Pool({
    ...db.pool.options,
    max: connections,
    query_timeout: timeoutMs,
    onConnect: (client: pg.ClientBase) => takeOn(client, settings),
  } as pg.PoolConfig);
  // A statement on a broken connection throws; the pool drops idle connections that break.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    async run(values) {
      for (let attempt = 1; ; attempt++) {
        try {
          const { rows } = await pool.query<Row>({ name, text, values: values as unknown[] });
          return rows;
        } catch (error) {
          if (!isConflict(error) || attempt === attemptsMax) throw nameFailure(error);
          await sleep(conflictDelayMs * 2 ** attempt * (1 + Math.random()));
        }
      }
    },
    close: () => pool.end(),
  };
}

async function takeOn(client: pg.ClientBase, settings: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await client.query('select set_config($1, $2, false)', [name, value]);
}

const textOid = 25;
const headerBytes = 20;

/**
 * Encodes texts as the value of a text[] parameter in PostgreSQL's binary form (array_send). Unlike the text form it
 * needs no escaping, which would double the size of JSON.
 */
export function textArray(values: readonly (string | null)[]): Buffer {
  let size = headerBytes;
  const lengths = new Int32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    lengths[i] = value === null ? -1 : Buffer.byteLength(value);
    size += 4 + Math.max(0, lengths[i]);
  }
  const bytes = Buffer.allocUnsafe(size);
  // Number of dimensions (0 when empty), whether there are nulls, element type, number of elements, first index.
  bytes.writeInt32BE(values.length > 0 ? 1 : 0, 0);
  bytes.writeInt32BE(lengths.includes(-1) ? 1 : 0, 4);
  bytes.writeInt32BE(textOid, 8);
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = headerBytes;
  for (let i = 0; i < values.length; i++) {
    at = bytes.writeInt32BE(lengths[i], at);
    const value = values[i];
    if (value !== null) at += bytes.write(value, at);
  }
  return values.length > 0 ? bytes : bytes.subarray(0, 12);
}
