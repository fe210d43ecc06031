import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, system, type Tx } from '../../../access/transactions.ts';
import type { App } from '../../app.ts';
import type { Deliveries } from './holding.ts';
import { type AskedTurns, reserveTurns, selectNow } from './sql.ts';

/** When a request may be sent to an address with a limit, by `performance.now`. */
export type Turn = Pick<AskedTurns, 'webhookId' | 'rateLimit'> & { readonly fromMs: number; readonly untilMs: number };

/**
 * How late a request may leave. All processes reserve moments that are evenly spaced, so that this lets one and a
 * twentieth more than the limit pass in a second; whoever is later, such as after standing still, reserves anew.
 */
const lateMaxMs = 50;
/** How often a request reserves before its delivery is put back. */
const turnsMost = 5;

/** The database's clock, and when it was asked for it and told it, by `performance.now`. */
export type Clock = { readonly atMs: number; readonly askedMs: number; readonly toldMs: number };

export async function readClock(tx: Tx): Promise<Clock> {
  const askedMs = performance.now();
  const atMs = await selectNow(tx);
  return { atMs, askedMs, toldMs: performance.now() };
}

/** Reserves turns; what is returned gives each next request to an address its own, null where there is no limit. */
export async function openTurns(tx: Tx, clock: Clock, asked: readonly AskedTurns[]) {
  const first = await reserveTurns(tx, asked);
  const turns = new Map(asked.map((lane) => [lane.webhookId, turnsFrom(lane, first.get(lane.webhookId)!, clock)]));
  return (webhookId: string): Turn | null => turns.get(webhookId)?.next().value ?? null;
}

/** A moment lies between the two that it would be had the clock been read as late, or as soon, as it can have been. */
function* turnsFrom({ webhookId, rateLimit, count }: AskedTurns, firstMs: number, { atMs, askedMs, toldMs }: Clock) {
  for (let at = 0; at < count; at++) {
    const inMs = firstMs + (at * 1_000) / rateLimit - atMs;
    yield { webhookId, rateLimit, fromMs: toldMs + inMs, untilMs: askedMs + inMs + lateMaxMs };
  }
}

/** Waits for the turn of a delivery that is held. Resolves with false when it was too late again and again. */
export async function awaitTurn({ db }: Pick<App, 'db'>, held: Deliveries, id: string, first: Turn): Promise<boolean> {
  for (let turn = first, left = turnsMost; ; left--) {
    held.start(id, turn.fromMs);
    while (performance.now() < turn.fromMs) await sleep(Math.ceil(turn.fromMs - performance.now()));
    if (performance.now() < turn.untilMs) return true;
    if (left === 1) return false;
    turn = await anotherTurn(db, turn);
  }
}

function anotherTurn(db: Database, { webhookId, rateLimit }: Turn): Promise<Turn> {
  return system(db, 'deliver webhooks', async (tx) => {
    const take = await openTurns(tx, await readClock(tx), [{ webhookId, rateLimit, count: 1 }]);
    return take(webhookId)!;
  });
}
