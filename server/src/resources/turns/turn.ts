import { Type } from 'typebox';
import type { Tx } from '../../access/transactions.ts';
import { nullable } from '../../api/nullable.ts';
import { waitingPhase } from '../job.ts';
import { selectTurns, type Turn } from './sql.ts';

/** `turn`: null unless it is queued. */
export type InTurn<R> = R & { readonly turn: Turn | null };

/** Rows with their turns. */
export async function inTurn<R extends { readonly id: string; readonly status: string }>(
  tx: Tx,
  kind: Parameters<typeof selectTurns>[1],
  rows: readonly R[],
): Promise<InTurn<R>[]> {
  const ids = rows.flatMap(({ id, status }) => (status === 'queued' ? [id] : []));
  if (ids.length === 0) return rows.map((row) => ({ ...row, turn: null }));
  const found = await selectTurns(tx, kind, ids);
  const turns = new Map(found.map(({ id, ...turn }) => [id, turn]));
  return rows.map((row) => ({ ...row, turn: turns.get(row.id) ?? null }));
}

/** What work waits for. */
const causes = ['turn', 'others', 'worker', 'process'] as const;

export const waitsForSchema = nullable(
  Type.String({
    enum: [...causes],
    description:
      'What it waits for. turn: work of the same kind in the workspace, which comes before it. others: it is next in the workspace, and other workspaces have such work under way. worker: it is next, and no worker has taken it yet. process: a worker has taken it, and the processes that it may have are busy with other work. Null when it does not wait.',
  }),
);

export const startEtaSchema = nullable(
  Type.String({
    description:
      'When queued work will begin, as far as the latest of its kind in the workspace tell. Null where none has ended, or work of other workspaces decides it.',
  }),
);

/** Of those under way, half is left on average. `now`: in ms since 1970. */
export function startEta(row: InTurn<{ readonly status: string }>, atOnce: number, now = Date.now()): string | null {
  const { turn } = row;
  const cause = waitsFor(row, null, atOnce);
  if (turn === null || turn.usualSeconds === null || (cause !== 'turn' && cause !== 'worker')) return null;
  const rounds = cause === 'turn' ? turn.before / atOnce - 0.5 : 0;
  return new Date(now + rounds * turn.usualSeconds * 1_000).toISOString();
}

/** `atOnce`: how much work of the kind a workspace has under way at once. */
export function waitsFor(
  { status, turn }: InTurn<{ readonly status: string }>,
  phase: string | null,
  atOnce: number,
): (typeof causes)[number] | null {
  if (status === 'running') return phase === waitingPhase ? 'process' : null;
  if (status !== 'queued' || turn === null) return null;
  if (turn.before >= atOnce) return 'turn';
  return turn.isBusyElsewhere ? 'others' : 'worker';
}
