import { expect, test } from 'vitest';
import { listed } from './listed.ts';
import type { Network } from './network-marks.ts';

test('an entity is listed with its ties to those that are nearer, and not with those among its like', () => {
  const node = (id: number, hops: number) => ({ id, table: 'loans', row: id, key: `l${id}`, hops });
  const tie = (from: number, to: number, relation: string, since: string | null, count = 1) => ({
    ...{ from, to, relation, since, count },
  });
  const network = {
    nodes: [node(0, 0), node(1, 1), node(2, 1), node(3, 2)],
    edges: [
      tie(0, 1, 'customers', '2021-04-20'),
      tie(2, 0, 'customers', '2021-05-01', 2),
      tie(0, 2, 'devices', null),
      tie(1, 2, 'customers', '2020-06-29', 7),
      tie(3, 1, 'devices', '2022-01-01'),
    ],
  };
  const told = listed(network as unknown as Network).map(({ id, relations, times, since }) => ({
    ...{ id, relations, times, since },
  }));
  expect(told).toEqual([
    { id: 0, relations: '', times: 0, since: null },
    { id: 1, relations: 'customers', times: 1, since: '2021-04-20' },
    { id: 2, relations: 'customers, devices', times: 3, since: '2021-05-01' },
    { id: 3, relations: 'devices', times: 1, since: '2022-01-01' },
  ]);
});
