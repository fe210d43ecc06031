import { expect, test } from 'vitest';
import { presentRun, type RunInTurn } from './run.ts';

test.each([
  ['queued', 0, false, 'waiting for the machine', 'worker'],
  ['queued', 0, true, 'waiting for the machine', 'others'],
  ['queued', 2, true, 'waiting for its turn', 'turn'],
  ['running', null, null, 'waiting for a process', 'process'],
  ['running', null, null, 'learning', null],
  ['failed', null, null, 'waiting for a process', null],
] as const)(
  'a %s run with %s before it says what it waits for or does',
  (status, before, isBusyElsewhere, phase, cause) => {
    const created_at = new Date('2026-01-31T12:00:00Z');
    const turn = before === null ? null : { before, isBusyElsewhere, usualSeconds: null };
    const row = {
      ...{ status, turn, phase, fraction: 0, created_at, snapshot_created_at: created_at },
      ...{ actor_type: null, started_at: null, finished_at: null },
    };
    expect(presentRun(row as unknown as RunInTurn)).toMatchObject({
      ...{ status, runs_before: before, phase, waits_for: cause },
    });
  },
);

test('a run tells when it will have finished once learning has shown how long it takes', () => {
  const at = new Date('2026-01-31T12:00:00Z');
  const etaOf = (fraction: number) => {
    const row = {
      ...{ status: 'running', turn: null, phase: 'choosing a model for late', fraction, created_at: at },
      ...{ snapshot_created_at: at, actor_type: null, started_at: at, finished_at: null },
    };
    return presentRun(row as unknown as RunInTurn).eta;
  };
  // Until learning begins and for a while after.
  expect([0.05, 0.25, 0.4].map(etaOf)).toEqual([null, null, null]);
  expect(Date.parse(etaOf(0.8)!)).toBeGreaterThan(Date.now());
});
