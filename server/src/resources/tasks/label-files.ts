import type { Tx } from '../../access/transactions.ts';
import type { LabelFiles } from './task.ts';

/** The files that some task learns its labels from. */
export async function labelFiles(tx: Tx): Promise<ReadonlySet<string>> {
  const rows = await tx.selectFrom('tasks').select('labels').execute();
  return new Set(rows.flatMap(({ labels }) => Object.values(labels as LabelFiles)));
}
