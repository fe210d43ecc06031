import type { Context } from '../../access/context.ts';
import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { ScorePoint } from '../../schema/json.ts';
import { record } from '../../trail/record.ts';
import type { Begun } from './begin.ts';
import type { Watched } from './compute.ts';
import { causeOf, hasMoved, type Score } from './move.ts';
import {
  insertMoves,
  type KnownEntry,
  lockEntries,
  lockList,
  type ScoredEntry,
  updateEntries,
  updateList,
} from './sql.ts';
import { type Cause, historyMax, movesToldMax, type WatchListRow } from './watch-list.ts';

type Move = {
  readonly id: string;
  readonly entryId: string;
  readonly from: Score;
  readonly to: Score;
};

/**
 * Writes what a rescoring has found, with the moves and their events, unless a later one was begun or the list is gone.
 * `watched`: null where there was nothing to score.
 */
export async function settle(tx: Tx, ctx: Context, begun: Begun, watched: Watched | null): Promise<void> {
  const { attempt, asOf, snapshot, versions, which, keys } = begun;
  const list = await lockList(tx, begun.list.id);
  if (list?.attempt !== attempt) return;
  const scores = new Map(keys.map(({ id }, at) => [id, watched!.scores[at]]));
  // What was added meanwhile waits for the next rescoring, and what was removed is gone.
  const known = (await lockEntries(tx, list.id, which)).filter(({ id }) => scores.has(id));
  const made = { versionId: versions[0].id, snapshotId: snapshot.id };
  const moves: Move[] = [];
  const scored = known.map((entry): ScoredEntry => {
    const now = scores.get(entry.id)!;
    if (typeof now === 'string') return { ...unscored(entry), status: now };
    const told = toldOf(entry);
    const moved = told !== null && hasMoved(list.threshold, told, now);
    if (moved) moves.push({ id: newId('wlm'), entryId: entry.id, from: told, to: now });
    return {
      ...{ id: entry.id, status: 'scored', ...now },
      isTold: told === null || moved,
      history: JSON.stringify(withPoint(entry.history, { at: asOf.toISOString(), score: now.score })),
    };
  });
  await updateEntries(tx, scored, asOf);
  if (list.version_id !== null && list.snapshot_id !== null) {
    const before = { versionId: list.version_id, snapshotId: list.snapshot_id };
    const because = causeOf(before, made);
    const about = {
      ...{ organization_id: ctx.organizationId, workspace_id: ctx.workspaceId, list_id: list.id, at: asOf, because },
      ...{ from_version_id: before.versionId, version_id: made.versionId, snapshot_id: made.snapshotId },
    };
    await insertMoves(
      tx,
      moves.map(({ id, entryId, from, to }) => ({
        ...{ ...about, id, entry_id: entryId, from_score: from.score, from_band: from.band },
        ...{ to_score: to.score, to_band: to.band },
      })),
    );
    await tell(tx, ctx, list, moves, { because, versionId: made.versionId, asOf });
  }
  await updateList(tx, list.id, {
    ...(watched && { field: watched.field }),
    ...(which === 'all' && { version_id: made.versionId, snapshot_id: made.snapshotId, as_of: asOf }),
    ...{ failure: null, rest_until: new Date() },
  });
}

/** An entry without a score keeps what was told of it, by which it moves once it has one. */
function unscored({ id, history }: KnownEntry) {
  return { id, score: null, band: null, isTold: false, history: JSON.stringify(history) };
}

function toldOf({ told_score, told_band }: KnownEntry): Score | null {
  return told_score === null ? null : { score: told_score, band: told_band };
}

function withPoint(history: readonly ScorePoint[], point: ScorePoint): readonly ScorePoint[] {
  if (history.at(-1)?.score === point.score) return history;
  return [...history, point].slice(-historyMax);
}

type Told = { readonly because: Cause; readonly versionId: string; readonly asOf: Date };

/**
 * An event for each move or, where there are many, one for all. The trail is kept when an entity is erased, so that no
 * event has a key: an entry is named by its id.
 */
async function tell(
  tx: Tx,
  ctx: Context,
  { id, name, model_id, alias }: WatchListRow,
  moves: readonly Move[],
  { because, versionId, asOf }: Told,
): Promise<void> {
  if (moves.length === 0) return;
  const target = { type: 'watch_list', id };
  const about = { name, model_id, alias, version_id: versionId, because, as_of: asOf.toISOString() };
  if (moves.length > movesToldMax) return record(tx, ctx, 'watch-list-move', target, { ...about, moves: moves.length });
  for (const move of moves)
    await record(tx, ctx, 'watch-list-move', target, {
      ...{ ...about, moves: 1, entry_id: move.entryId, move_id: move.id },
      ...{ from_band: move.from.band, to_band: move.to.band },
      ...{ from_score: move.from.score, to_score: move.to.score },
    });
}
