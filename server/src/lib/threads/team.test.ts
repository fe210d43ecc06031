import { threadId } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { teamCalls, teamScript } from '../../../tests/support/samples/lib-team.ts';
import { openTeam, type Team } from './team.ts';

const open: Team<ReturnType<typeof teamCalls>>[] = [];
afterEach(async () => {
  for (const team of open.splice(0)) await team.close();
});

function teamOf(others: number) {
  const team = openTeam(teamCalls(3), teamScript, others, 3);
  open.push(team);
  return team;
}

test('all threads take part, and outputs stand in the order of the inputs', async () => {
  const begun = new Int32Array(new SharedArrayBuffer(4 * 1_024));
  const inputs = Array.from({ length: 40 }, (_, value) => ({ value, begun, others: 3 }));
  const made = await teamOf(2).each('multiply', inputs, { costOf: ({ value }) => value % 7 });
  expect(made.map(([product]) => product)).toEqual(inputs.map(({ value }) => 3 * value));
  expect(new Set(made.map(([, thread]) => thread)).size).toBe(3);
});

test('a team of one thread works in it alone', async () => {
  const told: number[] = [];
  const begun = new Int32Array(new SharedArrayBuffer(4 * 1_024));
  const inputs = [1, 2].map((value) => ({ value, begun, others: 1 }));
  expect(await teamOf(0).each('multiply', inputs, { told: (taken) => told.push(taken) })).toEqual([
    [3, threadId],
    [6, threadId],
  ]);
  expect(told).toEqual([0, 1]);
});

test('of several calls that are refused, the first is told whichever thread took it', async () => {
  const team = teamOf(2);
  for (let round = 0; round < 20; round++)
    await expect(team.each('refuse', [0, 2, 5, 4, 7, 9])).rejects.toMatchObject({
      code: 'invalid',
      message: '5 is odd',
    });
  expect(await team.each('refuse', [2, 4])).toEqual([2, 4]);
});

test('a thread that ends fails what its team is doing, and all that it is asked later', async () => {
  const begun = new Int32Array(new SharedArrayBuffer(4));
  const team = teamOf(1);
  await expect(team.each('end', [begun, begun])).rejects.toThrow('a thread that shared the work has ended');
  await expect(team.each('refuse', [2, 4])).rejects.toThrow('a thread that shared the work has ended');
});
