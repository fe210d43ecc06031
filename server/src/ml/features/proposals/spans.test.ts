import { expect, test } from 'vitest';
import type { Task } from '../../tasks/task.ts';
import { spanDays } from './spans.ts';

const asking = (...horizonsDays: number[]) =>
  ({ target: { kind: 'rows', horizonsDays }, windowDays: Math.max(...horizonsDays) }) as unknown as Task;

test('spans are the window and multiples of it; of several windows the shortest, and the longest beyond these', () => {
  expect(spanDays({} as Task)).toEqual([30, 90, 365]);
  expect(spanDays({ windowDays: 7 } as Task)).toEqual([7, 21, 84]);
  expect(spanDays(asking(90))).toEqual([90, 270, 1080]);
  expect(spanDays(asking(30, 90, 365)), '360 days are as good as 365').toEqual([30, 90, 360]);
  expect(spanDays(asking(7, 365))).toEqual([7, 21, 84, 365]);
});
