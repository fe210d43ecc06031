import type { Database } from './transactions.ts';

/**
 * Whether the database is in use under this master secret: all processes on it must have the same one. A process with
 * another could not read sealed values, and would refuse addresses that others signed. A database that is in use under
 * none yet takes this one when `registers`. The database is opened as its owner.
 */
export async function hasSameSecret({ kysely }: Database, fingerprint: string, registers: boolean): Promise<boolean> {
  if (registers)
    await kysely
      .insertInto('installation')
      .values({ secret_fingerprint: fingerprint })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  const known = await kysely.selectFrom('installation').select('secret_fingerprint').executeTakeFirst();
  return known?.secret_fingerprint === fingerprint;
}
