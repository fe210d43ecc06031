import { expect, test } from 'vitest';
import { askedAbout } from './asked-about.ts';

test('each entity that was asked about is told once, newest first, without those that are known already', () => {
  const of = (key: string, table = 'customer') => ({ entity: { table, key } });
  const asked = [of('c2'), { entity: null }, of('c1'), of('c2'), of('c1', 'loan'), of('c3')];
  expect(askedAbout(asked, [{ table: 'customer', key: 'c1' }])).toEqual([
    { table: 'customer', key: 'c2' },
    { table: 'loan', key: 'c1' },
    { table: 'customer', key: 'c3' },
  ]);
});
