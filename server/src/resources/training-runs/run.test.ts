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
