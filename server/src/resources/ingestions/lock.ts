import { sql } from 'kysely';
import type { Context } from '../../tenancy/context.ts';
import type { Tx } from '../../tenancy/doors.ts';

/** Held while an ingestion of the workspace begins or ends, until the transaction does. */
export async function ingestionLock(tx: Tx, { workspaceId }: Context): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`ingestions ${workspaceId}`}, 0))`.execute(tx);
}
