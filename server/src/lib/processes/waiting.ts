// Which waiting task of a pool begins next.
import type { ActiveGroups } from '../active-groups.ts';
import { Failure } from '../failure.ts';

export type Turn = {
  /** Whose task it is, '' for nobody's. Groups take turns. */
  readonly group: string;
  /** How many children tasks of this length never hold: as many are always there for tasks with a smaller `leaves`. */
  readonly leaves: number;
};

export type WaitingTasks<T extends Turn> = {
  /** Adds a task. Throws Failure 'unavailable' when too many wait, of its group or in all. */
  add(task: T): void;
  remove(task: T): void;
  /**
   * The task that may begin beside the `running` ones and so many children that are ending, if there is one for which
   * `mayBegin` has a child.
   */
  next(running: readonly Turn[], ending: number, mayBegin: (task: T) => boolean): T | undefined;
  /** Takes out a task that begins: its group has had its turn. */
  take(task: T): void;
  /** Takes out all. */
  clear(): T[];
};

/** Most waiting tasks. A healthy machine has a few; more means that nothing limits what is asked. */
const waitingMax = 10_000;
/** Most waiting tasks of one group, so that one cannot fill the room of all. */
export const waitingPerGroupMax = 1_000;
/** Groups whose last turn is remembered. */
const rememberedMax = 10_000;

/**
 * Opens the waiting room of a pool of `size` children. Of tasks that may begin, one of the group goes first that has
 * fewest of the same length running; of those, of the group whose last turn is longest ago; of one group, the one that
 * came first. A named group holds its share of the children that tasks of a length may have, and no more.
 */
export function openWaiting<T extends Turn>(size: number, active: ActiveGroups): WaitingTasks<T> {
  const waiting = new Set<T>();
  /** The number of each group's last turn, by length and group, the oldest first. */
  const turns = new Map<string, number>();
  let turn = 0;
  const keyOf = ({ group, leaves }: Turn): string => `${leaves} ${group}`;

  const remember = (key: string): void => {
    turns.delete(key);
    turns.set(key, ++turn);
    if (turns.size > rememberedMax) turns.delete(turns.keys().next().value!);
  };

  return {
    add(task) {
      const own = [...waiting].filter(({ group }) => group === task.group).length;
      if (waiting.size >= waitingMax || own >= waitingPerGroupMax)
        throw new Failure('unavailable', 'Too much work is waiting. Try again later.');
      waiting.add(task);
      active.note(task.group);
    },
    remove(task) {
      waiting.delete(task);
    },
    next(running, ending, mayBegin) {
      const runs = new Map<string, number>();
      for (const task of running) runs.set(keyOf(task), (runs.get(keyOf(task)) ?? 0) + 1);
      const isFull = (task: T): boolean =>
        task.group !== '' && (runs.get(keyOf(task)) ?? 0) >= active.shareOf(size - task.leaves);
      const rank = (task: T): readonly [number, number] => [runs.get(keyOf(task)) ?? 0, turns.get(keyOf(task)) ?? 0];
      let next: { readonly task: T; readonly rank: readonly [number, number] } | undefined;
      for (const task of waiting) {
        if (!hasRoom(size, task, running, ending) || isFull(task)) continue;
        const own = rank(task);
        if (next && (own[0] - next.rank[0] || own[1] - next.rank[1]) >= 0) continue;
        if (!mayBegin(task)) continue;
        next = { task, rank: own };
      }
      return next?.task;
    },
    take(task) {
      waiting.delete(task);
      active.note(task.group);
      remember(keyOf(task));
    },
    clear() {
      const all = [...waiting];
      waiting.clear();
      return all;
    },
  };
}

/** Whether of each `leaves` up to that of the task, those that leave as many or more still leave so many children. */
function hasRoom(size: number, { leaves }: Turn, running: readonly Turn[], ending: number): boolean {
  if (running.length + ending >= size) return false;
  for (let level = 1; level <= leaves; level++)
    if (running.filter((task) => task.leaves >= level).length >= size - level) return false;
  return true;
}
