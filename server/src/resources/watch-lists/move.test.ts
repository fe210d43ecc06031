import { expect, test } from 'vitest';
import { causeOf, hasMoved } from './move.ts';

const at = (score: number, band: string | null = null) => ({ score, band });

test('without a threshold who is in another band has moved, however near the border', () => {
  expect(hasMoved(null, at(699, 'Medium Risk'), at(700, 'Moderate Risk'))).toBe(true);
  expect(hasMoved(null, at(600, 'Medium Risk'), at(699, 'Medium Risk'))).toBe(false);
});

test('a threshold is held against what was told last, and reached by as much', () => {
  expect(hasMoved({ difference: 10 }, at(600), at(610))).toBe(true);
  expect(hasMoved({ difference: 10 }, at(600), at(590.5))).toBe(false);
  expect(hasMoved({ share: 0.2 }, at(-50), at(-60))).toBe(true);
  expect(hasMoved({ share: 0.2 }, at(-50), at(-59))).toBe(false);
});

test('a share of nothing is reached by any change, and by none without one', () => {
  expect(hasMoved({ share: 0.2 }, at(0), at(0))).toBe(false);
  expect(hasMoved({ share: 0.2 }, at(0), at(1e-9))).toBe(true);
});

test('the version goes before the data, and the data before time', () => {
  const before = { versionId: 'ver_1', snapshotId: 'snp_1' };
  expect(causeOf(before, { versionId: 'ver_2', snapshotId: 'snp_2' })).toBe('version');
  expect(causeOf(before, { versionId: 'ver_1', snapshotId: 'snp_2' })).toBe('data');
  expect(causeOf(before, before)).toBe('time');
});
