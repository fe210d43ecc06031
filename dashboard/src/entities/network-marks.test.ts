import { expect, test } from 'vitest';
import { type NetworkNode, namedWithRoom } from './network-marks.ts';

test('keys are written where they lie over no other key and no mark, the nearest entities first', () => {
  const node = (id: number, hops: number, key: string | null = `customer-${id}`) =>
    ({ id, hops, key, table: 'customer' }) as NetworkNode;
  const nodes = [node(0, 0), node(2, 2), node(1, 1), node(3, 1, null), node(4, 2)];
  const at = [
    [0, 0],
    [200, 0],
    [202, 3],
    [300, 300],
    [0, 14],
  ] as const;
  const places = new Map(at.map(([x, y], id) => [id, { x, y }]));
  // The second hop lies over the first, one has no key to show, and the last lies under the key of the middle.
  expect([...namedWithRoom(nodes, places, 1)].sort()).toEqual([1, 4]);
});
