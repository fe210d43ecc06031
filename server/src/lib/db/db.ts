import { Kysely, type Transaction as KyselyTransaction, PostgresDialect, sql } from 'kysely';
import pg from 'pg';

pg.types.setTypeParser(20, Number);
export type Transaction<T> = KyselyTransaction<T>;
export type Db<T> = { readonly kysely: Kysely<T>; readonly pool: pg.Pool; close(): Promise<void> };
export function openDb<T>(connection: pg.PoolConfig, { max }: { max: number }): Db<T> {
  const pool = new pg.Pool({ ...connection, max });
  pool.on('error', () => {});
  const kysely = new Kysely<T>({ dialect: new PostgresDialect({ pool }) });
  return { kysely, pool, close: () => kysely.destroy() };
}
export function transaction<T, R>(
  db: Db<T>,
  settings: Record<string, string>,
  work: (tx: Transaction<T>) => Promise<R>,
): Promise<R> {
  return db.kysely.transaction().execute(async (tx) => {
    const sets = Object.entries(settings).map(([k, v]) => sql`set_config(${k}, ${v}, true)`);
    await sql`select ${sql.join(sets)}`.execute(tx);
    return work(tx);
  });
}
