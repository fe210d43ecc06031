import type { Insertable } from 'kysely';
import type { Predictions } from '../../schema/tables.ts';
import type { Database } from '../../tenancy/doors.ts';
import { type AuditItem, type GroupCommit, openGroupCommit } from '../../tenancy/group-commit.ts';

export type PredictionItem = AuditItem & { readonly prediction: Insertable<Predictions> };

/** Makes answered predictions and their audit entries durable, those that arrive together in one transaction. */
export function openPredictionCommit(db: Database): GroupCommit<PredictionItem> {
  return openGroupCommit<PredictionItem>(db, async (tx, items) => {
    await tx
      .insertInto('predictions')
      .values(items.map(({ prediction }) => prediction))
      .execute();
  });
}
