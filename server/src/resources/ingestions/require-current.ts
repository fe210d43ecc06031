import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import { assert } from '../../lib/failure.ts';
import type { SnapshotRow } from '../../serving/snapshot.ts';
import type { App } from '../app.ts';
import { selectActiveContract } from '../contracts/active.ts';
import type { ContractRow } from '../contracts/contract.ts';
import { requireContract } from '../contracts/require.ts';
import { type IngestionRow, openStatuses } from './ingestion.ts';
import type { Difference } from './parsing.ts';
import { compareWith, planRereading } from './reread.ts';
import { selectNewestUnder } from './sql.ts';

/** Most differences that a refusal names. */
const differencesTold = 5;

/**
 * Returns the active contract, under which the data of a snapshot are, or under one that says the same. Throws Failure
 * 'data_behind_contract', which says what is under which contract, what the active one changes, and what to do.
 */
export async function requireCurrentData(app: App, ctx: Context, snapshot: SnapshotRow): Promise<ContractRow> {
  const active = await tenant(app.db, ctx, selectActiveContract);
  assert(active, 'where there are data, a contract is active');
  if (active.id === snapshot.contract_id) return active;
  const difference = await compareWith(app, ctx, snapshot, active.document);
  if (difference.paths.length === 0) return active;
  const { under, newest, gone } = await tenant(app.db, ctx, async (tx) => ({
    under: await requireContract(tx, snapshot.contract_id),
    newest: await selectNewestUnder(tx, active.id),
    gone: (await planRereading(tx, ctx, snapshot, difference.stale)).gone,
  }));
  const { tables, changes } = tell(difference);
  throw refuse(
    'data_behind_contract',
    `the data of ${tables} are under contract ${under.number} (${under.id}); contract ${active.number} (${active.id}) is active, by which ${changes}: ${wayOut(active, newest, gone)}`,
  );
}

function tell({ stale, paths }: Difference): { tables: string; changes: string } {
  const isStale = stale.length > 0;
  const tables = isStale ? stale.map(({ table }) => table) : [...new Set(paths.map((path) => path.split('.', 1)[0]))];
  const changes = isStale
    ? stale.flatMap(({ table, reasons }) => reasons.map((reason) => `${table}: ${reason}`))
    : paths;
  const more = changes.length - differencesTold;
  const some = changes.slice(0, differencesTold).join(isStale ? '; ' : ', ');
  return {
    tables: tables.join(', '),
    changes: `${isStale ? some : `${some} changed`}${more > 0 ? `, and ${more} more` : ''}`,
  };
}

function wayOut({ id }: ContractRow, newest: IngestionRow | undefined, gone: readonly string[]): string {
  if (newest !== undefined && openStatuses.includes(newest.status)) {
    const phase = newest.progress === null ? newest.status : newest.progress.phase;
    return `${newest.id} is bringing them under it (${phase}); ask again when it has succeeded`;
  }
  const tables = gone.join(', ');
  if (gone.length > 0) return `files that they came from are gone; send all rows of ${tables} again with mode replace`;
  const start = `POST /v1/api/contracts/${id}/acceptance has their files read again`;
  switch (newest?.status) {
    case 'refused': {
      const why = `was refused, GET /v1/api/ingestions/${newest.id}/deviations says for what`;
      if (newest.kind === 'delivery')
        return `${newest.id} was to bring files under it and ${why}; ${start}, without them`;
      return `${newest.id} was to read their files again and ${why}; send these tables again with mode replace, or propose a contract that their files keep, such as the document of the earlier one (POST /v1/api/contracts)`;
    }
    case 'failed':
      return `${newest.id} was to bring them under it and failed (${newest.failure?.detail}); ${start}`;
    case 'interrupted':
      return `${newest.id} was to bring them under it and was interrupted; ${start}`;
    default:
      return start;
  }
}
