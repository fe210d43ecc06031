import { expect, test } from 'vitest';
import { type Network, type NetworkNode, namedWithRoom, nodeName, sharedOf, withKeysOf } from './network-marks.ts';

test('names are written where they lie over no other name and no mark, the nearest entities first', () => {
  const node = (id: number, hops: number, key: string | null = `customer-${id}`) =>
    ({ id, row: id, hops, key, table: 'customer' }) as NetworkNode;
  const nodes = [node(0, 0), node(2, 2), node(1, 1), node(3, 1, null), node(4, 2)];
  const at = [
    [0, 0],
    [200, 0],
    [202, 3],
    [300, 300],
    [0, 14],
  ] as const;
  const places = new Map(at.map(([x, y], id) => [id, { x, y }]));
  // The second hop lies over the first, one has its number for a name, and the last lies under the name of the middle.
  expect([...namedWithRoom(nodes, places, 1)].sort()).toEqual([1, 3, 4]);
});

test('an entity whose key says who a person is goes by its row, and by what it shares', () => {
  const tie = (from: number, to: number, relation: string, count: number) => ({
    from,
    to,
    relation,
    count,
    since: null,
  });
  const edges = [tie(0, 3, 'devices', 1), tie(3, 1, 'payments', 9), tie(0, 3, 'payments', 3), tie(0, 1, 'devices', 5)];
  expect(nodeName({ row: 3, table: 'customers', key: null })).toBe('customers #3');
  expect(nodeName({ row: 3, table: 'customers', key: 'c3' })).toBe('c3');
  expect(sharedOf({ edges } as unknown as Network, 3)).toEqual([
    { relation: 'payments', count: 12 },
    { relation: 'devices', count: 1 },
  ]);
});

test('an entity whose key was typed for a path is called by it in the network, too', () => {
  const node = (id: number, row: number, key: string | null) => ({ id, row, key, table: 'customers', hops: id });
  const about = { snapshot_id: 'snp_1', as_of: '2026-01-31T00:00:00Z', edges: [] };
  const left_out = { nodes: 0, edges: 0 };
  const network: Network = { ...about, left_out, nodes: [node(0, 5, 'c5'), node(1, 7, null), node(2, 9, null)] };
  const path = { ...about, is_found: true, is_complete: true, nodes: [node(0, 5, 'c5'), node(1, 9, 'c9')] };
  const namesIn = ({ nodes }: Network) => nodes.map(nodeName);
  expect(namesIn(withKeysOf(path, network))).toEqual(['c5', 'customers #7', 'c9']);
  expect(namesIn(withKeysOf({ ...path, snapshot_id: 'snp_2' }, network))).toEqual(namesIn(network));
  expect(namesIn(withKeysOf(undefined, network))).toEqual(['c5', 'customers #7', 'customers #9']);
});
