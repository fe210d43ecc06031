import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choose, type DueLane, type Held, laneMax, workspaceMax } from './choose.ts';

const lane = (webhookId: string, workspaceId: string, more: Partial<DueLane> = {}): DueLane => ({
  ...{ webhookId, workspaceId, due: laneMax, isProbe: false, rateLimit: null, nextInMs: 0, ...more },
});
const idle = (room: number, more: Partial<Held> = {}): Held => ({
  ...{ room, inLane: () => 0, inWorkspace: () => 0, isSlow: () => false, servedAt: () => 0, ...more },
});
const countOf = (chosen: ReturnType<typeof choose>) => chosen.map(({ webhookId, count }) => [webhookId, count]);

test('workspaces take turns, whoever has more addresses or more that waits', () => {
  const many = Array.from({ length: 100 }, (_, at) => lane(`a${at}`, 'A'));
  const chosen = choose([...many, lane('b', 'B')], idle(6));
  expect(chosen.reduce((sum, { count }) => sum + count, 0)).toBe(6);
  expect(countOf(chosen).find(([id]) => id === 'b')).toEqual(['b', 3]);
});

test('those served longest ago come first', () => {
  const servedAt = (id: string) => ({ A: 3, a: 3, B: 2, b: 2 })[id] ?? 1;
  const chosen = choose([lane('a', 'A'), lane('b', 'B'), lane('c', 'C')], idle(2, { servedAt }));
  expect(countOf(chosen)).toEqual([
    ['c', 1],
    ['b', 1],
  ]);
});

test('a paused address is tried by one, a slow one gets none, and one with a limit what fits ahead', () => {
  const lanes = [
    lane('probe', 'A', { isProbe: true }),
    lane('slow', 'B'),
    lane('limited', 'C', { rateLimit: 8 }),
    lane('later', 'D', { rateLimit: 1, nextInMs: 900 }),
  ];
  const held = idle(50, { isSlow: (id) => id === 'slow' });
  expect(countOf(choose(lanes, held))).toEqual([
    ['probe', 1],
    ['limited', 3],
  ]);
  expect(countOf(choose([lanes[0]], idle(50, { inLane: () => 1 })))).toEqual([]);
});

test('no bound is passed, and no place is left empty that something could have', () => {
  const lanes = fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 0, max: 60 }),
      of: fc.integer({ min: 0, max: 5 }),
      due: fc.integer({ min: 1, max: 4 }),
    }),
    { selector: ({ id }) => id },
  );
  fc.assert(
    fc.property(lanes, fc.integer({ min: 0, max: 80 }), fc.integer({ min: 0, max: 4 }), (given, room, under) => {
      const all = given.map(({ id, of, due }) => lane(`w${id}`, `ws${of}`, { due }));
      const chosen = choose(all, idle(room, { inLane: () => under }));
      const sum = chosen.reduce((total, { count }) => total + count, 0);
      for (const { count, lane } of chosen) expect(count).toBeLessThanOrEqual(Math.min(lane.due, laneMax - under));
      const possible = all.reduce((total, { due }) => total + Math.min(due, laneMax - under), 0);
      const ofWorkspace = Map.groupBy(chosen, ({ lane }) => lane.workspaceId);
      for (const own of ofWorkspace.values())
        expect(own.reduce((total, { count }) => total + count, 0)).toBeLessThanOrEqual(workspaceMax);
      if (possible <= workspaceMax) expect(sum).toBe(Math.min(room, possible));
    }),
    { seed: 1 },
  );
});
