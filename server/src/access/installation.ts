import { Failure } from '../lib/failure.ts';
import type { Database } from './transactions.ts';

/**
 * Checks that all processes on a database have the same master secret; the first process stores its fingerprint. A
 * process with another secret could not read sealed values, and would refuse addresses that others signed. Throws
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
