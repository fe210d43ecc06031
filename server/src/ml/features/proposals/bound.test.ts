import { expect, test } from 'vitest';
import type { Aggregate, Events, Feature } from '../feature.ts';
import { boundFeatures } from './bound.ts';

const aggregates: readonly Aggregate[] = ['mean', 'sum', 'last', 'max'];

/** Every aggregate of each of `columns` columns of a table. */
function numbersOf(table: string, columns: number): Feature[] {
  const events: Events = { table, via: ['owner'] };
  return Array.from({ length: columns }, (_, c) =>
    aggregates.map(
      (aggregate): Feature => ({
        focus: { kind: 'root' },
        read: {
          kind: 'number',
          events,
          signal: { kind: 'column', path: [], column: `c${c}` },
          span: { all: true },
          aggregate,
        },
      }),
    ),
  ).flat();
}

const tableOf = ({ read }: Feature) => ('events' in read ? read.events.table : '');

test('a table of many columns takes no room from what comes after it', () => {
  const features = [...numbersOf('words', 100), ...numbersOf('visits', 3), ...numbersOf('friends', 40)];
  const kept = boundFeatures(features, 200);
  expect(kept).toHaveLength(200);
  const counts = Object.fromEntries(
    [...Map.groupBy(kept, tableOf)].map(([table, those]): [string, number] => [table, those.length]),
  );
  expect(counts).toEqual({ words: 94, visits: 12, friends: 94 });
  expect(kept).toEqual(features.filter((feature) => kept.includes(feature)));
});

test('of columns for which there is no room each gives first what was proposed first', () => {
  const kept = boundFeatures(numbersOf('words', 100), 150);
  const read = kept.map((feature) => (feature.read.kind === 'number' ? feature.read.aggregate : ''));
  expect([read.filter((each) => each === 'mean').length, read.filter((each) => each === 'sum').length]).toEqual([
    100, 50,
  ]);
});

test('what is within the bound stays as it is', () => {
  const features = numbersOf('visits', 5);
  expect(boundFeatures(features, 20)).toEqual(features);
});

test('more places than there is room for give one each while it lasts', () => {
  const features = Array.from({ length: 30 }, (_, k) => numbersOf(`t${k}`, 1)).flat();
  expect(boundFeatures(features, 7).map(tableOf)).toEqual(['t0', 't1', 't2', 't3', 't4', 't5', 't6']);
});

test('what the row itself and its own events tell has most of the places, and others what it leaves', () => {
  const own = numbersOf('visits', 100);
  const met = numbersOf('visits', 100).map(
    (feature): Feature => ({ ...feature, focus: { kind: 'parent', of: feature.focus, reference: 'owner' } }),
  );
  const countsOf = (features: readonly Feature[], most: number) => {
    const kept = boundFeatures(features, most);
    expect(kept).toEqual(features.filter((feature) => kept.includes(feature)));
    return [
      kept.filter((feature) => own.includes(feature)).length,
      kept.filter((feature) => met.includes(feature)).length,
    ];
  };
  expect(countsOf([...met, ...own], 500)).toEqual([300, 200]);
  expect(countsOf([...met, ...own.slice(0, 100)], 300)).toEqual([100, 200]);
  expect(countsOf([...met.slice(0, 10), ...own], 300)).toEqual([290, 10]);
});
