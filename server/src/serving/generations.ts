import type { KeptOpen, Opened } from './keep-open.ts';

/** The data of a workspace, as they can be opened. */
export type Data<T> = {
  /** Names the snapshot and the dictionary of names that they are read by. */
  readonly key: string;
  /** Data of another line are never answered from when these are there: an erasure lies between them. */
  readonly line: string;
  /** About how much memory they take while they are open, in MB. */
  readonly weightMb: number;
  open(): Promise<T>;
};

/** What answers over open data: a version, or an encoder. */
export type Unit<T, U> = {
  readonly id: string;
  /** Runs `work` with the unit, which is opened over the data first if it is not open. */
  use<R>(data: T, work: (unit: U) => Promise<R>): Promise<R>;
};

/** What a request asks for. `S`: the state that says what is served. */
export type Asked<T, U, S> = {
  readonly workspaceId: string;
  readonly state: S;
  /** Since when the state has been served at the earliest (milliseconds since 1970). */
  readonly servedSince: number;
  dataOf(state: S): Data<T>;
  /** The unit that the request means in a state, or null if it means none there. */
  unitOf(state: S): Unit<T, U> | null;
  /** The units that requests may ask for in `state`, and did not mean anything else than in `before`. */
  newUnits(state: S, before: S): readonly Unit<T, U>[];
  /** Whether the request may be answered by an earlier state. */
  accepts(before: S): boolean;
};

/** What a request is answered by: `state` may be an earlier one than the request brought. */
export type Answering<T, U, S> = {
  readonly state: S;
  readonly data: T;
  readonly unit: U;
  readonly unitId: string;
};

export type Generations<T, U, S> = {
  /**
   * Runs `work` with what a request asks for; after waiting, with what it asks for `again`, by the state that is then
   * the newest. Throws what `again`, opening and `work` throw.
   */
  use<R>(
    asked: Asked<T, U, S>,
    again: () => Promise<Asked<T, U, S>>,
    work: (answering: Answering<T, U, S>) => Promise<R>,
  ): Promise<R>;
  /**
   * Runs `work` with a unit over data, if those are what a workspace is answered from now and are open; null where they
   * are not. What is answered to others does not change by it.
   */
  useOpen<R>(
    workspaceId: string,
    key: string,
    unit: Unit<T, U>,
    work: (unit: U, data: T) => Promise<R>,
  ): Promise<R> | null;
  /**
   * Opens data that are not served yet, with the units that answer now, if the workspace is answered here at all.
   * Resolves when they are ready, when they cannot be opened, or after `dataLagMs`; the function that it resolves to
   * closes them unless they are served by then.
   */
  prepare(workspaceId: string, state: S, data: Data<T>): Promise<() => void>;
};

/** For this long after new data are served, requests are answered from the data before; then they wait. */
export const dataLagMs = 30_000;
/** The same after an alias has moved to a version that is not open. */
export const unitLagMs = 500;
/** Units that are opened with new data: the last that were used over the data before, and within an hour. */
const unitsReadied = 16;
const unitIdleMs = 60 * 60 * 1000;

/** Data and units that are open together, in one thread. */
type Generation<T, U, S> = {
  readonly key: string;
  readonly data: Data<T>;
  /** The newest state that can be answered by it as it is. */
  state: S;
  /** The units that are open, the last used last. */
  readonly units: Map<string, { readonly unit: Unit<T, U>; readonly usedAt: number }>;
  /** The units that could not be opened over the data. */
  readonly failed: Set<string>;
};

type Next<T, U, S> = {
  readonly generation: Generation<T, U, S>;
  readonly done: Promise<void>;
  progress: 'opening' | 'ready' | 'failed';
};

type Place<T, U, S> = {
  now: Generation<T, U, S>;
  next: Next<T, U, S> | null;
  /** Since when another state is served than `now` answers by; 0 if none is. */
  behindSince: number;
};

/**
 * Answers each workspace by one generation, a snapshot with the units that are open over it in one thread, and opens
 * the next one beside it when something else is served, so that requests need not wait for what takes seconds: tables,
 * histories, and the first answer. Requests move on to the next generation when it is ready. Where both do not fit into
 * `memoryMb`, what is open is closed first.
 */
export function openGenerations<T extends Opened, U, S>(opened: KeptOpen<T>, memoryMb: number): Generations<T, U, S> {
  const places = new Map<string, Place<T, U, S>>();
  /** How many requests of each workspace are under way. */
  const asking = new Map<string, number>();
  let made = 0;

  const makeGeneration = (data: Data<T>, state: S): Generation<T, U, S> => ({
    ...{ key: `${data.key} ${made++}`, data, state },
    ...{ units: new Map(), failed: new Set() },
  });

  const enter = <R>({ key, data }: Generation<T, U, S>, work: (opened: T) => Promise<R>): Promise<R> =>
    opened.use(key, data.open, work, data.weightMb);

  const run = <R>(
    by: Generation<T, U, S>,
    state: S,
    unit: Unit<T, U>,
    work: (answering: Answering<T, U, S>) => Promise<R>,
  ): Promise<R> =>
    enter(by, (data) =>
      unit.use(data, (own) => {
        by.units.delete(unit.id);
        by.units.set(unit.id, { unit, usedAt: Date.now() });
        return work({ state, data, unit: own, unitId: unit.id });
      }),
    );

  const fit = (a: Data<T>, b: Data<T>): boolean => a.line === b.line && a.weightMb + b.weightMb <= memoryMb;

  const dropNext = (place: Place<T, U, S>): void => {
    if (place.next) opened.drop(place.next.generation.key);
    place.next = null;
  };

  /** Forgets workspaces of which nothing is open or asked any more. */
  const forgetIdle = (): void => {
    for (const [workspaceId, { now, next }] of places) {
      const isNextOpen = next !== null && (next.progress === 'opening' || opened.has(next.generation.key));
      if (!opened.has(now.key) && !isNextOpen && !asking.has(workspaceId)) places.delete(workspaceId);
    }
  };

  /** Answers by a state from now on, with nothing open yet. */
  const begin = (workspaceId: string, data: Data<T>, state: S): Place<T, U, S> => {
    forgetIdle();
    const before = places.get(workspaceId);
    if (before) {
      opened.drop(before.now.key);
      dropNext(before);
    }
    const place: Place<T, U, S> = { now: makeGeneration(data, state), next: null, behindSince: 0 };
    places.set(workspaceId, place);
    return place;
  };

  /** Begins to open the next generation, unless another one is being opened. */
  const openNext = (place: Place<T, U, S>, data: Data<T>, state: S, wanted: readonly Unit<T, U>[]): void => {
    if (place.next?.progress === 'opening') return;
    dropNext(place);
    const since = Date.now() - unitIdleMs;
    const used = [...place.now.units.values()].filter(({ usedAt }) => usedAt > since).reverse();
    const all = [...wanted, ...used.slice(0, unitsReadied).map(({ unit }) => unit)];
    const generation = makeGeneration(data, state);
    const openAll = async (opened: T): Promise<void> => {
      for (const unit of new Map(all.map((unit) => [unit.id, unit])).values()) {
        try {
          await unit.use(opened, async () => {});
          generation.units.set(unit.id, { unit, usedAt: place.now.units.get(unit.id)?.usedAt ?? Date.now() });
        } catch {
          // Whoever asks for it is told why.
          generation.failed.add(unit.id);
        }
      }
    };
    const next: Next<T, U, S> = {
      generation,
      progress: 'opening',
      done: enter(generation, openAll).then(
        () => {
          next.progress = 'ready';
        },
        () => {
          next.progress = 'failed';
        },
      ),
    };
    place.next = next;
  };

  /** The place of a request's workspace, moved on to what is ready. */
  const placeOf = ({ workspaceId, state, dataOf }: Asked<T, U, S>): Place<T, U, S> => {
    const data = dataOf(state);
    const place = places.get(workspaceId);
    if (!place) return begin(workspaceId, data, state);
    const { now, next } = place;
    const isCurrent = now.data.key === data.key;
    if (next?.progress === 'ready' && next.generation.data.key === data.key && opened.has(next.generation.key)) {
      opened.drop(now.key);
      Object.assign(place, { now: next.generation, next: null, behindSince: 0 });
    } else if (!isCurrent && (!opened.has(now.key) || next?.progress === 'failed' || !fit(now.data, data)))
      return begin(workspaceId, data, state);
    else if (!opened.has(now.key)) now.units.clear();
    return place;
  };

  const answer: Generations<T, U, S>['use'] = async (first, again, work) => {
    for (let asked = first; ; asked = await again()) {
      const { state, unitOf } = asked;
      const unit = unitOf(state)!;
      const data = asked.dataOf(state);
      const place = placeOf(asked);
      const { now } = place;
      const isCurrent = now.data.key === data.key;
      const missing = asked
        .newUnits(state, now.state)
        .filter(({ id }) => now.units.size > 0 && !now.units.has(id) && !now.failed.has(id));
      // What is alone in memory, and what could not be opened beside what is open, is opened where that is.
      const isAlone = !fit(now.data, data) || place.next?.progress === 'failed';
      if (isCurrent && (missing.length === 0 || isAlone)) {
        if (place.next?.progress === 'failed') dropNext(place);
        Object.assign(place, { behindSince: 0 });
        now.state = state;
        return run(now, state, unit, work);
      }
      place.behindSince ||= asked.servedSince;
      openNext(place, data, state, [unit, ...missing]);
      if (isCurrent && now.units.has(unit.id)) return run(now, state, unit, work);
      const before = unitOf(now.state);
      const lagMs = before?.id === unit.id ? dataLagMs : unitLagMs;
      if (before && asked.accepts(now.state) && now.units.has(before.id) && Date.now() - place.behindSince < lagMs)
        return run(now, now.state, before, work);
      await place.next!.done;
    }
  };

  return {
    async use(first, again, work) {
      const { workspaceId } = first;
      asking.set(workspaceId, (asking.get(workspaceId) ?? 0) + 1);
      try {
        return await answer(first, again, work);
      } finally {
        const left = asking.get(workspaceId)! - 1;
        if (left > 0) asking.set(workspaceId, left);
        else asking.delete(workspaceId);
      }
    },
    useOpen(workspaceId, key, unit, work) {
      const now = places.get(workspaceId)?.now;
      if (now?.data.key !== key || !opened.has(now.key)) return null;
      return enter(now, (data) => unit.use(data, (own) => work(own, data)));
    },
    async prepare(workspaceId, state, data) {
      const place = places.get(workspaceId);
      if (!place || !opened.has(place.now.key) || !fit(place.now.data, data)) return () => {};
      await within(dataLagMs, async () => {
        await place.next?.done;
        if (places.get(workspaceId) !== place) return;
        openNext(place, data, state, []);
        await place.next!.done;
      });
      return () => {
        if (place.next?.generation.data.key === data.key) dropNext(place);
      };
    },
  };
}

/** Waits for `work`, or for `ms`. */
async function within(ms: number, work: () => Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work(), promise]).finally(() => clearTimeout(timer));
}
