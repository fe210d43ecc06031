import type { Tx } from '../../access/transactions.ts';

const columns = ['tree', 'size', 'prev_size', 'root', 'at', 'key_id', 'note'] as const;

/** Newest first, of fewer leaves than `below`. */
export async function selectCheckpoints(tx: Tx, tree: string, below: number | null, most: number) {
  return tx
    .selectFrom('audit_checkpoints')
    .select(columns)
    .where('tree', '=', tree)
    .$if(below !== null, (query) => query.where('size', '<', below!))
    .orderBy('size', 'desc')
    .limit(most)
    .execute();
}
export type CheckpointRow = Awaited<ReturnType<typeof selectCheckpoints>>[number];

export async function selectCheckpoint(tx: Tx, tree: string, size: number): Promise<CheckpointRow | undefined> {
  return tx
    .selectFrom('audit_checkpoints')
    .select(columns)
    .where('tree', '=', tree)
    .where('size', '=', size)
    .executeTakeFirst();
}
