import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../app.ts';
import { type Attempted, attemptDelivery, type Claimed } from './attempt.ts';
import { claimDue } from './claim.ts';
import { Deliveries } from './holding.ts';
import { settleAttempts } from './settle.ts';
import { awaitTurn } from './turns.ts';

type Delivering = Pick<App, 'db' | 'outbound' | 'keys' | 'webhooks' | 'log'>;

/** How long until it is looked again what is due, when nothing of before has ended. */
const pollMs = 100;
/** Shortest time between two looks: what ends meanwhile is settled together, and its places are filled together. */
const breathMs = 5;
/** While the database does not answer, pauses double up to this. */
const failingMaxMs = 5_000;

/**
 * Sends what is due until nothing is, or `signal` aborts, and returns once what is under way is settled. Any number of
 * processes do so beside each other.
 */
export async function deliver(app: Delivering, signal: AbortSignal): Promise<void> {
  const held = new Deliveries();
  const settling = openSettling(app, held);
  for (let pauseMs = pollMs; !signal.aborted; ) {
    try {
      const { claimed, clockOffsetMs } = await claimDue(app, held);
      for (const one of claimed) {
        held.take(one.id, one.webhook_id, one.workspace_id);
        void send(app, held, one, () => clockOffsetMs + performance.now()).then(settling.add);
      }
      if (held.size === 0) return;
      pauseMs = pollMs;
    } catch (error) {
      pauseMs = Math.min(pauseMs * 2, failingMaxMs);
      app.log.warn({ err: error, againInMs: pauseMs }, 'webhooks: nothing could be taken to be sent');
    }
    await sleep(breathMs);
    await settling.news(pauseMs, signal);
  }
  await settling.drained();
}

async function send(app: Delivering, held: Deliveries, claimed: Claimed, nowMs: () => number): Promise<Attempted> {
  const startedAt = performance.now();
  try {
    const { id, turn } = claimed;
    return await attemptDelivery(app, claimed, nowMs, turn ? () => awaitTurn(app, held, id, turn) : undefined);
  } catch (error) {
    // A fault of ours, such as a secret that cannot be opened, must not end the sending of all others.
    app.log.error({ err: error, delivery: claimed.id }, 'webhooks: an attempt could not be made');
    const fault = { class: 'internal', text: 'the service could not make this request' };
    return { claimed, result: 'failed', retryAfterMs: null, startedAt, error: fault, outbound: null };
  }
}

type SettlingQueue = {
  readonly add: (attempted: Attempted) => void;
  /** Resolves when something was settled, after `ms`, or when the signal aborts. */
  news(ms: number, signal: AbortSignal): Promise<void>;
  /** Resolves when nothing is under way any more. */
  drained(): Promise<void>;
};

/** Most attempts that are settled in one transaction. */
const settledMost = 100;
/** How often it is tried to settle attempts; after that their lease ends, and they are made again. */
const settlingMax = 8;

/** Settles together what ends while the last ones are being settled. */
function openSettling(app: Delivering, held: Deliveries): SettlingQueue {
  const ended: Attempted[] = [];
  let running: Promise<void> | null = null;
  let isNews = false;
  let wake = (): void => {};
  const settleAll = async (): Promise<void> => {
    while (ended.length > 0) {
      const some = ended.splice(0, settledMost);
      await settleSome(app, some);
      for (const { claimed } of some) held.release(claimed.id);
      isNews = true;
      wake();
    }
    running = null;
  };
  return {
    add(attempted) {
      ended.push(attempted);
      running ??= settleAll();
    },
    async news(ms, signal) {
      const woken = new AbortController();
      wake = () => woken.abort();
      if (!isNews) await sleep(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {});
      isNews = false;
    },
    async drained() {
      while (held.size > 0) await (running ?? sleep(breathMs));
    },
  };
}

async function settleSome(app: Delivering, some: readonly Attempted[]): Promise<void> {
  for (let tried = 1; tried <= settlingMax; tried++)
    try {
      return await settleAttempts(app, some);
    } catch (error) {
      app.log.warn({ err: error, attempts: some.length }, 'webhooks: attempts could not be noted');
      await sleep(Math.min(pollMs * 2 ** tried, failingMaxMs));
    }
}
