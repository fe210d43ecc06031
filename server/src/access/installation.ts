import { Failure } from '../lib/failure.ts';
import type { Database } from './transactions.ts';

/**
 * Makes sure that all processes on a database have the same master secret: the first one leaves its fingerprint. A
 * process with another secret could not read what is sealed, and would refuse addresses that others sign. Throws
 * Failure 'invalid'.
 */
export async function requireSameSecret({ kysely }: Database, fingerprint: string): Promise<void> {
  await kysely
    .insertInto('installation')
    .values({ secret_fingerprint: fingerprint })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const known = await kysely.selectFrom('installation').select('secret_fingerprint').executeTakeFirstOrThrow();
  if (known.secret_fingerprint !== fingerprint)
    throw new Failure(
      'invalid',
      'the database is in use under another master secret: set LASTRO_MASTER_SECRET, or the file secret of the data folder, to that one',
    );
}
