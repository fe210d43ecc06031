import { expect, test } from 'vitest';
import { presentRun, type RunInTurn } from './run.ts';

test.each([
  ['queued', 0, 'waiting for the machine'],
  ['queued', 2, 'waiting for its turn'],
  ['running', null, 'learning'],
])('a %s run with %s before it says what it waits for or does', (status, runs_before, phase) => {
  const created_at = new Date('2026-01-31T12:00:00Z');
  const row = { status, runs_before, phase: 'learning', fraction: 0, created_at, started_at: null, finished_at: null };
  expect(presentRun(row as RunInTurn)).toMatchObject({ status, runs_before, phase });
});
