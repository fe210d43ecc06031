// Access to PostgreSQL: a connection pool, and transactions that begin and apply their settings in one round trip.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  Kysely,
  Transaction as KyselyTransaction,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryExecutor,
  type QueryResult,
} from 'kysely';
import pg from 'pg';
import { assert, Failure } from '../failure.ts';
import { isConflict, isConnectionLost, isSilence, nameFailure } from './failures.ts';
import { openShares, type Shares } from './shares.ts';

/** How to reach a database: a URL, or the folder of a socket as `host`. */
export type Connection =
  | { readonly connectionString: string }
  | {
      readonly host: string;
      readonly port: number;
      readonly database: string;
      readonly user: string;
      readonly password?: string;
      readonly ssl?: pg.ClientConfig['ssl'];
    };

export type Transaction<T> = KyselyTransaction<T>;

export type Db<T> = {
  /** Runs statements outside of transactions, with the rights of the connection's login. */
  readonly kysely: Kysely<T>;
  readonly pool: pg.Pool;
  /** How many connections each holder of transactions may have at once. */
  readonly shares: Shares;
  /** Waits for running transactions. */
  close(): Promise<void>;
};

/** How long a caller waits for a free connection, and a new connection for the server. */
export const connectTimeoutMs = 10_000;
const idleTimeoutMs = 30_000;
const statementTimeoutMs = 60_000;
/**
 * How long after the statement timeout the client gives up. A statement that the server has not ended by then never
 * reached it, or the server is gone without notice.
 */
const silenceMs = 5_000;
const idleInTransactionTimeoutMs = 60_000;
/** Runs of a transaction, counting the first, before its conflict is thrown to the caller. */
const attemptsMax = 5;
const conflictDelayMs = 5;

/**
 * Opens a pool of at most `max` connections, each opened when it is needed; transactions of one holder have at most
 * `perHolder` of them. A statement may take `timeoutMs`, a minute by default. bigint columns arrive as numbers, and
 * fail outside of ±2^53; timestamptz as Date, date and numeric as text.
 */
export function openDb<T>(
  connection: Connection,
  { max, perHolder = max, timeoutMs = statementTimeoutMs }: { max: number; perHolder?: number; timeoutMs?: number },
): Db<T> {
  const pool = new pg.Pool({
    ...connection,
    max,
    types: columnTypes,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs + silenceMs,
    keepAlive: true,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
  });
  // A stopping server breaks connections, idle or in use. Without a listener, their error events would end this
  // process. The pool drops idle connections, and the next statement on one in use throws.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const kysely = new Kysely<T>({ dialect: new PostgresDialect({ pool }) });
  let ended: Promise<void> | undefined;
  const shares = openShares(perHolder, connectTimeoutMs);
  // Kysely's `destroy` is no substitute: it leaves the pool open as long as no statement went through Kysely's own
  // driver.
  return { kysely, pool, shares, close: () => (ended ??= pool.end()) };
}

/**
 * Runs `work` in one transaction and commits it; transactions of one `holder` share a limit on connections. `settings`
 * (`role` among them) hold until the transaction ends. Rolls back and rethrows what `work` throws. When the transaction
 * conflicts with another (deadlock, serialization), `work` runs again, 5 times in all at most: its effects outside of
 * the transaction must be repeatable. Statements of `work` run one after the other. Throws `Failure('unavailable')`
 * when the database does not answer; if that happens during the commit, the changes may or may not have been kept.
 */
export async function transaction<T, R>(
  db: Db<T>,
  settings: Readonly<Record<string, string>>,
  work: (tx: Transaction<T>) => Promise<R>,
  holder: string | null = null,
): Promise<R> {
  const begin = beginStatement(settings);
  const once = () => attemptOnce(db, begin, work);
  for (let attempt = 1; ; attempt++) {
    try {
      return await (holder === null ? once() : db.shares(holder, once));
    } catch (error) {
      if (!isConflict(error) || attempt === attemptsMax) throw error;
      await sleep(conflictDelayMs * 2 ** attempt * (1 + Math.random()));
    }
  }
}

/**
 * Returns the rows of one reading statement without parameters, run in a transaction of its own with `settings`, which
 * takes one round trip: for what is asked again and again. Throws `Failure('unavailable')` when the database does not
 * answer; nothing is tried again.
 */
export async function glance<T, R>(
  db: Db<T>,
  settings: Readonly<Record<string, string>>,
  statement: string,
): Promise<readonly R[]> {
  const client = await db.pool.connect().catch((error) => {
    throw nameFailure(error);
  });
  try {
    const results: unknown = await client.query(`${beginStatement(settings)}; ${statement}; commit`);
    client.release();
    return (results as pg.QueryResult[]).at(-2)!.rows;
  } catch (error) {
    client.release(true);
    throw nameFailure(error);
  }
}

async function attemptOnce<T, R>(db: Db<T>, begin: string, work: (tx: Transaction<T>) => Promise<R>): Promise<R> {
  const client = await beginOn(db.pool, begin);
  const statements = statementsOn(db.kysely.getExecutor(), client);
  let isClean = false;
  try {
    const result = await work(transactionOf<T>(statements.executor));
    statements.end();
    await commit(client);
    isClean = true;
    return result;
  } catch (error) {
    statements.abandon();
    isClean = !isSilence(error) && (await rollback(client));
    throw error;
  } finally {
    // A connection in an unknown state never returns to the pool.
    client.release(!isClean);
  }
}

/**
 * Begins a transaction on a pooled connection. A connection may have died unnoticed in the pool; since nothing has run
 * on it yet, another one is tried.
 */
async function beginOn(pool: pg.Pool, begin: string): Promise<pg.PoolClient> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect().catch((error) => {
      throw nameFailure(error);
    });
    try {
      await client.query(begin);
      return client;
    } catch (error) {
      client.release(true);
      if (!isConnectionLost(error) || attempt === attemptsMax) throw nameFailure(error);
    }
  }
}

/** The SQL that begins a transaction, as one simple query: a query with parameters can hold only one statement. */
function beginStatement(settings: Readonly<Record<string, string>>): string {
  const calls = Object.entries(settings).map(([name, value]) => {
    assert(/^[a-z_]+(\.[a-z_]+)?$/.test(name), `${name} is no name of a setting`);
    assert(!value.includes('\0'), `the setting ${name} has a NUL, which PostgreSQL does not take`);
    return `set_config('${name}', ${pg.escapeLiteral(value)}, true)`;
  });
  return calls.length === 0 ? 'begin' : `begin; select ${calls.join(', ')}`;
}

async function commit(client: pg.PoolClient): Promise<void> {
  const result = await client.query('commit').catch((error) => {
    if (!isConnectionLost(error)) throw nameFailure(error);
    const message = 'The database stopped answering while it saved. The change may or may not have been kept.';
    throw new Failure('unavailable', message, { cause: error });
  });
  // PostgreSQL answers ROLLBACK, without an error, when an earlier statement had failed.
  assert(result.command === 'COMMIT', 'a transaction commits only what succeeded as a whole');
}

async function rollback(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback');
    return true;
  } catch {
    return false;
  }
}

type Statements = {
  readonly executor: QueryExecutor;
  /** Ends the statements of the transaction. A later one would run in another transaction, and is refused. */
  end(): void;
  abandon(): void;
};

/** Runs statements on one connection, in the order in which they were asked for. */
function statementsOn(executor: QueryExecutor, client: pg.PoolClient): Statements {
  const connection = connectionOf(client);
  let isOpen = true;
  let running = 0;
  let last: Promise<unknown> = Promise.resolve();
  const provideConnection = <R>(consumer: (connection: DatabaseConnection) => Promise<R>): Promise<R> => {
    running++;
    const next = last.then(() => {
      assert(isOpen, 'a statement runs before its transaction ends');
      return consumer(connection);
    });
    last = next.then(
      () => running--,
      () => running--,
    );
    return next;
  };
  return {
    executor: executor.withConnectionProvider({ provideConnection }),
    end() {
      assert(running === 0, 'every statement of a transaction is awaited');
      isOpen = false;
    },
    abandon() {
      isOpen = false;
    },
  };
}

function connectionOf(client: pg.PoolClient): DatabaseConnection {
  return {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      try {
        const { command, rowCount, rows } = await client.query(sql, [...parameters]);
        const isWrite = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
        return isWrite ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
      } catch (error) {
        throw nameFailure(error);
      }
    },
    streamQuery() {
      throw new Error('rows are not streamed: read them by pages');
    },
  };
}

/** A transaction runs its statements on the executor it is given, so its dialect only has to build them. */
const dialect: Dialect = {
  createDriver: () => new DummyDriver(),
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (kysely) => new PostgresIntrospector(kysely),
};

function transactionOf<T>(executor: QueryExecutor): Transaction<T> {
  return new KyselyTransaction<T>({
    config: { dialect },
    dialect,
    driver: new DummyDriver(),
    executor,
  });
}

const columnTypes = new pg.TypeOverrides();
columnTypes.setTypeParser(pg.types.builtins.INT8, parseBigint);
// A Date would read the day in the time zone of the process.
columnTypes.setTypeParser(pg.types.builtins.DATE, (text) => text);

function parseBigint(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), `${text} fits in a number`);
  return value;
}
