// One pool for many owners: nobody's work waits long behind that of one who asks for much.
import { Failure } from '../failure.ts';
import { type InputOf, type OutputOf, ProcessDied, type TaskRunner } from './pool.ts';
import type { Handler } from './serve.ts';

export type SharesOptions = {
  /** Tasks at once: as many as the pool has children, so that a task that begins has one. */
  readonly slots: number;
  /** Most tasks of one owner that wait; more are refused. */
  readonly waitingMax: number;
  /** Longest that a task may run, in milliseconds. It is killed then. */
  readonly wallMs: number;
  /** Why a task is refused, as sentences: too many wait already; it took more than it may. */
  readonly says: { readonly waiting: string; readonly over: string };
};

/** Runs tasks of owners. One owner has all slots but one at most, and owners that wait take turns. */
export type Shares = {
  /**
   * Runs a task as `TaskRunner.run` does. Rejects with Failure 'rate_limited' when too many of the owner's tasks wait,
   * and with 'budget_exceeded' when the task took longer than it may, or its process died of it.
   */
  readonly run: <H extends Handler<never, unknown>>(task: Task<H>, owner: string) => Promise<OutputOf<H>>;
};

type Task<H> = { readonly name: string; readonly input: InputOf<H> };

type Owner = { running: number; readonly waiting: (() => void)[] };

export function openShares(runner: TaskRunner, { slots, waitingMax, wallMs, says }: SharesOptions): Shares {
  const ownSlots = Math.max(1, slots - 1);
  // In order of who has waited longest for a turn.
  const owners = new Map<string, Owner>();
  let running = 0;

  const next = (): void => {
    for (const [name, owner] of owners) {
      if (running >= slots) return;
      if (owner.running >= ownSlots) continue;
      const begin = owner.waiting.shift();
      if (begin === undefined) continue;
      owners.delete(name);
      owners.set(name, owner);
      running++;
      owner.running++;
      begin();
    }
  };

  const end = (name: string, owner: Owner): void => {
    running--;
    owner.running--;
    if (owner.running === 0 && owner.waiting.length === 0) owners.delete(name);
    next();
  };

  return {
    async run<H extends Handler<never, unknown>>(task: Task<H>, name: string): Promise<OutputOf<H>> {
      const owner = owners.get(name) ?? { running: 0, waiting: [] };
      if (owner.waiting.length >= waitingMax) throw tooManyWaiting(says.waiting);
      owners.set(name, owner);
      await new Promise<void>((begin) => {
        owner.waiting.push(begin);
        next();
      });
      try {
        return await runner.run<H>(task, { signal: AbortSignal.timeout(wallMs) });
      } catch (error) {
        const isOver = error instanceof ProcessDied || (error instanceof DOMException && error.name === 'TimeoutError');
        throw isOver ? overBudget(says.over, error) : error;
      } finally {
        end(name, owner);
      }
    },
  };
}

const retryAfterSeconds = 5;

function tooManyWaiting(message: string): Failure {
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return new Failure('rate_limited', message, { reason: 'rate_limited', headers });
}

function overBudget(message: string, cause: unknown): Failure {
  return new Failure('limit_exceeded', message, { reason: 'budget_exceeded', cause });
}
