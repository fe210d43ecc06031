import { Failure } from '../../lib/failure.ts';
import type { PlanAdoption } from '../contracts/propose.ts';
import { differenceFrom, filesOf, planRereading } from './reread.ts';
import { selectIngestion, selectOpenRereading } from './sql.ts';
import { startIngestion } from './start.ts';

/**
 * Works out what a contract changes in the stored data, before the transaction that accepts it, which would keep its
 * connection from others meanwhile. `start` then starts, in that transaction, the ingestion that brings the data under
 * it: that of the files that asked for it (`asking`), if none of them is gone, else one that only reads again.
 */
export const planAdoption: PlanAdoption = async (app, ctx, document) => {
  const found = await differenceFrom(app, ctx, document);
  const isBehind = found !== null && found.difference.paths.length > 0;
  return {
    isBehind,
    async start(tx, asking) {
      const asked = asking === null ? null : (await selectIngestion(tx, asking))!.files;
      const { originals, gone } = found
        ? await planRereading(tx, ctx, found.snapshot, found.difference.stale)
        : { originals: [], gone: [] };
      const isReplaced = (name: string) => asked?.some(({ table, mode }) => table === name && mode === 'replace');
      const missing = gone.filter((table) => !isReplaced(table));
      if (missing.length > 0) return { started_ingestion_id: null, tables_to_send_again: missing };
      const again = asking === null ? null : await unlessDeleted(startIngestion(app, tx, ctx, { again: asking }));
      const reread = async () =>
        (await selectOpenRereading(tx)) ?? (await startIngestion(app, tx, ctx, { reread: filesOf(originals) }));
      return { started_ingestion_id: again ?? (isBehind ? await reread() : null), tables_to_send_again: [] };
    },
  };
};

/**
 * Returns null when a file of the ingestion has been deleted. `startIngestion` refuses that before it writes anything.
 */
function unlessDeleted(starting: Promise<string>): Promise<string | null> {
  return starting.catch((error) => {
    if (error instanceof Failure && error.reason === 'file_deleted') return null;
    throw error;
  });
}
