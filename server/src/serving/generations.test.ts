/** Nobody waits for what is being opened while there is something to answer from, and nothing too old answers. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { type Asked, type Data, dataLagMs, openGenerations, type Unit, unitLagMs } from './generations.ts';
import { keepOpen } from './keep-open.ts';

type State = { readonly data: string; readonly line: string; readonly alias: string };
type Opened = { readonly key: string; readonly units: Set<string>; close(): void };

/** A workspace whose data and units open when they are let. */
function shop(memoryMb = 100) {
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const log: string[] = [];
  const held = new Set<string>();
  const gate = (what: string) => {
    if (!held.has(what)) return;
    log.push(`opening ${what}`);
    const own = Promise.withResolvers<void>();
    gates.set(what, own);
    return own.promise;
  };
  const dataOf = ({ data, line }: State): Data<Opened> => ({
    ...{ key: data, line, weightMb: 40 },
    async open() {
      await gate(data);
      log.push(`open ${data}`);
      return { key: data, units: new Set(), close: () => void log.push(`close ${data}`) };
    },
  });
  const unit = (id: string): Unit<Opened, string> => ({
    id,
    async use(data, work) {
      if (!data.units.has(id)) {
        await gate(`${id} over ${data.key}`);
        data.units.add(id);
        log.push(`open ${id} over ${data.key}`);
      }
      return work(`${id} over ${data.key}`);
    },
  });
  const opened = keepOpen<Opened>(8, 1_000, memoryMb);
  const generations = openGenerations<Opened, string, State>(opened, memoryMb);
  let state: State = { data: 'S1', line: 'first', alias: 'V1' };
  let since = Date.now();
  const ask = (): Asked<Opened, string, State> => ({
    ...{ workspaceId: 'ws', state, servedSince: since, dataOf, accepts: () => true },
    unitOf: ({ alias }) => unit(alias),
    newUnits: (now, before) => (now.alias === before.alias ? [] : [unit(now.alias)]),
  });
  return {
    ...{ log, held, generations, dataOf },
    serve(change: Partial<State>) {
      state = { ...state, ...change };
      since = Date.now();
    },
    letOpen(what: string) {
      held.delete(what);
      gates.get(what)!.resolve();
    },
    predict: (accepts = true) =>
      generations.use(
        { ...ask(), accepts: () => accepts },
        async () => ({ ...ask(), accepts: () => accepts }),
        async ({ unit, state: by }) => `${unit} by ${by.data}`,
      ),
    state: () => state,
  };
}

/** Lets everything that waits for nothing run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}

test('answers come from the data before until the new ones are warm, then from those, and the old are closed', async () => {
  const { log, held, letOpen, predict, serve } = shop();
  expect(await predict()).toBe('V1 over S1 by S1');
  held.add('S2').add('V1 over S2');
  serve({ data: 'S2' });
  for (let n = 0; n < 20; n++) expect(await predict()).toBe('V1 over S1 by S1');
  letOpen('S2');
  await settle();
  expect(log.at(-1)).toBe('opening V1 over S2');
  expect(await predict()).toBe('V1 over S1 by S1');
  letOpen('V1 over S2');
  await settle();
  expect(await predict()).toBe('V1 over S2 by S2');
  await settle();
  expect(
    log.filter((line) => line.startsWith('open ')),
    'each is opened once',
  ).toEqual([...['open S1', 'open V1 over S1', 'open S2', 'open V1 over S2']]);
  expect(log.at(-1)).toBe('close S1');
});

test('data that are prepared before they are served are there for the first request', async () => {
  const { log, generations, dataOf, predict, serve, state } = shop();
  await predict();
  const next = { ...state(), data: 'S2' };
  await generations.prepare('ws', next, dataOf(next));
  expect(log.at(-1)).toBe('open V1 over S2');
  expect(await predict(), 'what is not served yet answers nobody').toBe('V1 over S1 by S1');
  serve({ data: 'S2' });
  expect(await predict()).toBe('V1 over S2 by S2');
  const undone = { ...state(), data: 'S3' };
  (await generations.prepare('ws', undone, dataOf(undone)))();
  await settle();
  expect(log.at(-1)).toBe('close S3');
  expect(await predict()).toBe('V1 over S2 by S2');
});

test('whoever wants the new data, or asks when they have been known for long, waits for them', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const { held, letOpen, predict, serve } = shop();
    await predict();
    held.add('S2');
    serve({ data: 'S2' });
    expect(await predict()).toBe('V1 over S1 by S1');
    const choosy = predict(false);
    vi.setSystemTime(Date.now() + dataLagMs);
    const late = predict();
    await settle();
    letOpen('S2');
    expect(await Promise.all([choosy, late])).toEqual(['V1 over S2 by S2', 'V1 over S2 by S2']);
  } finally {
    vi.useRealTimers();
  }
});

test('after an alias has moved, the version before answers until the other is warm, and only for a moment', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const { log, held, letOpen, predict, serve } = shop();
    await predict();
    held.add('V2 over S1');
    serve({ alias: 'V2' });
    expect(await predict()).toBe('V1 over S1 by S1');
    vi.setSystemTime(Date.now() + unitLagMs);
    const late = predict();
    await settle();
    letOpen('V2 over S1');
    expect(await late).toBe('V2 over S1 by S1');
    serve({ alias: 'V1' });
    const before = log.length;
    expect(await predict(), 'back again, it is still open').toBe('V1 over S1 by S1');
    expect(log.slice(before).filter((line) => line.startsWith('open'))).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('after an erasure nothing is answered from the data before, and those being opened are given up', async () => {
  const { log, held, letOpen, predict, serve } = shop();
  await predict();
  held.add('S2').add('S3');
  serve({ data: 'S2' });
  expect(await predict()).toBe('V1 over S1 by S1');
  serve({ data: 'S3', line: 'second' });
  const waiting = predict();
  await settle();
  letOpen('S2');
  letOpen('S3');
  expect(await waiting).toBe('V1 over S3 by S3');
  await settle();
  expect(log.filter((line) => line.startsWith('close')).sort()).toEqual(['close S1', 'close S2']);
});

test('where both do not fit into memory, the old are closed before the new are opened', async () => {
  const { log, predict, serve } = shop(60);
  await predict();
  serve({ data: 'S2' });
  expect(await predict()).toBe('V1 over S2 by S2');
  expect(log.indexOf('close S1')).toBeLessThan(log.indexOf('open S2'));
});

test('new data that cannot be opened are told of when requests come to them, and those after them are served', async () => {
  const { generations, dataOf, predict, serve, state } = shop();
  await predict();
  serve({ data: 'S2' });
  const broken = async () => {
    throw new Error('damaged');
  };
  const ask = (): Asked<Opened, string, State> => ({
    ...{ workspaceId: 'ws', state: state(), servedSince: Date.now(), accepts: () => true, newUnits: () => [] },
    dataOf: (of) => (of.data === 'S2' ? { ...dataOf(of), open: broken } : dataOf(of)),
    unitOf: () => ({ id: 'V1', use: (_, work) => work('V1') }),
  });
  const use = () =>
    generations.use(
      ask(),
      async () => ask(),
      async ({ state: by }) => by.data,
    );
  expect(await use()).toBe('S1');
  await settle();
  await expect(use()).rejects.toThrow('damaged');
  serve({ data: 'S3' });
  expect(await predict()).toBe('V1 over S3 by S3');
});

test('a workspace that is not answered any more is forgotten with all of its state', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const opened = keepOpen<{ close(): void }>(1);
  const generations = openGenerations<{ close(): void }, string, object>(opened, 100);
  const unit: Unit<{ close(): void }, string> = { id: 'V', use: (_, work) => work('V') };
  const answer = async (workspaceId: string): Promise<WeakRef<object>> => {
    const state = {};
    const data: Data<{ close(): void }> = {
      ...{ key: workspaceId, line: '', weightMb: 1 },
      open: async () => ({ close: () => {} }),
    };
    const asked: Asked<{ close(): void }, string, object> = {
      ...{ workspaceId, state, servedSince: 0, dataOf: () => data, unitOf: () => unit },
      ...{ newUnits: () => [], accepts: () => true },
    };
    await generations.use(
      asked,
      async () => asked,
      async () => {},
    );
    return new WeakRef(state);
  };
  const states = [];
  for (const workspaceId of ['a', 'b', 'c']) states.push(await answer(workspaceId));
  await nextTurn();
  collect();
  // The last is open, and the one before was, when that began.
  expect(states.map((state) => state.deref() === undefined)).toEqual([true, false, false]);
});
