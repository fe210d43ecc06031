import { expect, test } from 'vitest';
import { openActiveGroups } from './active-groups.ts';

test('a group alone leaves one place, several have equal shares, and one that is quiet gives its share back', () => {
  let now = 0;
  const groups = openActiveGroups(() => now);
  expect(groups.shareOf(6)).toBe(5);
  groups.note('many');
  expect(groups.shareOf(6)).toBe(5);
  expect(groups.areSeveral()).toBe(false);
  groups.note('few');
  expect(groups.areSeveral()).toBe(true);
  expect(groups.shareOf(6)).toBe(3);
  groups.note('others');
  expect(groups.shareOf(6)).toBe(2);
  expect(groups.shareOf(2)).toBe(1);
  now = 40_000;
  groups.note('many');
  now = 70_000;
  expect(groups.shareOf(6)).toBe(5);
  expect(groups.shareOf(1)).toBe(1);
});
