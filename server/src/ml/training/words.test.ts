import { expect, test } from 'vitest';
import { at, day, draws, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { openGraph } from '../features/graph.ts';
import { openWordChoice } from './words.ts';

test('words that were not written yet are not chosen', () => {
  const rows = 200;
  const contract = sampleContract([
    {
      name: 'loan',
      key: 'loan_id',
      time: 'granted',
      columns: {
        loan_id: 'integer',
        granted: 'timestamp',
        note: { type: 'string', knownFrom: 'noted' },
        noted: 'timestamp',
      },
    },
  ]);
  const draw = draws(8);
  const labels = Float64Array.from({ length: rows }, () => Number(draw.next() < 0.5));
  const granted = at('2024-01-01');
  const choose = (noted: number) => {
    const loan = Array.from({ length: rows }, (_, loan_id) => {
      const note = `${labels[loan_id] ? 'unpaid' : 'settled'} ${loan_id % 3 === 0 ? 'early' : 'late'}`;
      return { loan_id, granted, note, noted };
    });
    const graph = openGraph(sampleTables(contract, { loan }));
    const moments = new Float64Array(rows).fill(granted + day);
    const own = Int32Array.from({ length: rows }, (_, row) => row);
    const anchors = { table: graph.table('loan'), fresh: false, rows: own, own, ownTable: 'loan', at: moments };
    return openWordChoice(graph, { ...anchors, readableUntil: moments }, labels, true)({ kind: 'root' }, 'note');
  };
  expect([...choose(granted)].sort()).toEqual(['settled', 'unpaid']);
  expect(choose(granted + 30 * day)).toEqual([]);
});
