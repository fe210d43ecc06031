import { expect, test } from 'vitest';
import {
  afterFailures,
  failingDaysMax,
  failuresInRowMax,
  type Lane,
  type LaneFailures,
  probeFirstMs,
  probeLongestMs,
} from './breaker.ts';

const dayMs = 24 * 60 * 60_000;
const fresh: Lane = { failuresInRow: 0, failingSinceMs: null, lastFailedMs: null, pausedUntilMs: null, probes: 0 };
const failed = (more: Partial<LaneFailures> = {}): LaneFailures => ({
  ...{ count: 1, isProbe: false, recent: { attempts: 1, failed: 1 }, ...more },
});
const isPaused = (lane: Lane, failures: LaneFailures): boolean =>
  afterFailures(lane, failures, 1_000).lane.pausedUntilMs !== null;

test('an address is paused after ten failures in a row', () => {
  expect(isPaused({ ...fresh, failuresInRow: failuresInRowMax - 2 }, failed())).toBe(false);
  expect(isPaused({ ...fresh, failuresInRow: failuresInRowMax - 1 }, failed())).toBe(true);
  expect(isPaused(fresh, failed({ count: failuresInRowMax }))).toBe(true);
});

test('an address is paused when more than four fifths of enough attempts failed, though some arrived between', () => {
  const cases: [attempts: number, failed: number, isPaused: boolean][] = [
    [9, 9, false],
    [10, 8, false],
    [10, 9, true],
    [200, 160, false],
    [200, 161, true],
  ];
  for (const [attempts, count, expected] of cases)
    expect(isPaused(fresh, failed({ recent: { attempts, failed: count } })), `${count} of ${attempts}`).toBe(expected);
});

test('each time that it is tried in vain the pause doubles, up to the longest; what was under way changes nothing', () => {
  let nowMs = 0;
  let { lane } = afterFailures(fresh, failed({ count: failuresInRowMax }), nowMs);
  const pauses: number[] = [];
  for (let tried = 0; tried < 20; tried++) {
    pauses.push(lane.pausedUntilMs! - nowMs);
    const still = afterFailures(lane, failed({ count: 3 }), nowMs + 1).lane;
    expect(still).toMatchObject({ pausedUntilMs: lane.pausedUntilMs, probes: lane.probes });
    nowMs = lane.pausedUntilMs!;
    ({ lane } = afterFailures(lane, failed({ isProbe: true }), nowMs));
  }
  expect(pauses).toEqual(pauses.map((_, at) => Math.min(probeFirstMs * 2 ** at, probeLongestMs)));
});

test('where nothing arrives for days it is disabled, unless nothing was sent for as long', () => {
  const since = { ...fresh, failuresInRow: 3, failingSinceMs: 0 };
  const after = (lastFailedMs: number, nowMs: number) =>
    afterFailures({ ...since, lastFailedMs }, failed(), nowMs).isToDisable;
  const longest = failingDaysMax * dayMs;
  expect(after(longest - dayMs, longest - 1)).toBe(false);
  expect(after(longest - dayMs, longest)).toBe(true);
  expect(after(0, longest + 1)).toBe(false);
});
