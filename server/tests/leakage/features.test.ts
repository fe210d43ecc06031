/** Features of every moment asked, bit by bit: what is planted later moves none. */
import { describe, expect, test } from 'vitest';
import { moved, proposed, values } from './features.ts';
import { early, everything, later, plantings, withStrangers } from './plantings.ts';
import { taskNames } from './tasks.ts';
import { data } from './world.ts';

describe.each(taskNames)('%s: features', (task) => {
  const { features, asked } = proposed(task);
  const untouched = values(task, features, data, asked);

  test.each(Object.keys(plantings))('%s: of later date they move no bit', (kind) => {
    expect(moved(features, untouched, values(task, features, plantings[kind](data, later), asked))).toEqual([]);
  });

  test.each(Object.keys(plantings))('%s: of earlier date they do', (kind) => {
    expect(moved(features, untouched, values(task, features, plantings[kind](data, early), asked))).not.toEqual([]);
  });

  test('which features are proposed depends on nothing of later date', () => {
    expect(proposed(task, everything(data, later)).features).toEqual(features);
    expect(proposed(task, everything(data, early)).features).not.toEqual(features);
  });

  test('rows of others, to whom no path leads, move nothing but what is told of all', () => {
    const own = features.filter(({ focus }) => focus.kind !== 'all');
    const before = values(task, own, data, asked);
    expect(moved(own, before, values(task, own, withStrangers(data, 'stranger'), asked))).toEqual([]);
    expect(moved(own, before, values(task, own, withStrangers(data, 'a1'), asked))).not.toEqual([]);
  });
});
