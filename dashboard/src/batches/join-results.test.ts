import { expect, test } from 'vitest';
import { type CorrectedRows, joinResults } from './join-results.ts';
import { fileColumnOf, leadingOf, rowColumnOf } from './original-rows.ts';

async function* numbered(...rows: readonly (readonly [number: number, cells: readonly string[]])[]) {
  for (const [number, cells] of rows) yield { number, cells };
}

async function joined(...asked: Parameters<typeof joinResults>): Promise<(readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  for await (const { cells } of joinResults(...asked)) rows.push(cells);
  return rows;
}

const correction = (id: string, rows: CorrectedRows['rows'], numbers: CorrectedRows['numbers']): CorrectedRows => ({
  ...{ id, columns: ['key', 'original_row', 'score'] },
  ...{ rows, numbers },
});

test('corrected rows stand where they stood in the original file, whether they were left out or scored', async () => {
  const original = {
    columns: ['key', 'score', 'row'],
    // Row 2 and row 5, the last one, were left out.
    rows: numbered([1, ['a', '1', '1']], [3, ['c', '3', '3']], [4, ['d', '4', '4']]),
  };
  const first = correction(
    'bat_1',
    [
      ['e', '5', '50'],
      ['b', '2', '20'],
      ['c', '3', '30'],
    ],
    [5, 2, 3],
  );
  // It was corrected twice, and one row says no number.
  const second = correction(
    'bat_2',
    [
      ['b', '2', '21'],
      ['x', '', '9'],
    ],
    [2, null],
  );
  expect(await joined(original, [first, second])).toEqual([
    ['a', '1', '1', ''],
    ['b', '21', '2', 'bat_2'],
    ['c', '30', '3', 'bat_1'],
    ['d', '4', '4', ''],
    ['e', '50', '5', 'bat_1'],
    ['x', '9', '', 'bat_2'],
  ]);
});

test('rows that are not in the order of their numbers are each written once', async () => {
  const original = {
    columns: ['key', 'score'],
    rows: numbered([3, ['c', '3']], [1, ['a', '1']], [2, ['b', '2']]),
  };
  const rows = await joined(original, [correction('bat_1', [['a', '1', '10']], [1])]);
  expect(rows.map(([key, score]) => `${key}${score}`)).toEqual(['a10', 'c3', 'b2']);
});

test('the columns that lead to the original rows give way to those of the file, and stay when corrected once more', () => {
  const one = { corrects: null, files: [{}] } as never;
  const said = (batch: never, columns: readonly string[]) =>
    leadingOf(batch, '=in/a.csv')(columns).map(({ name, say }) => [name, say(7)]);
  expect(said(one, ['id'])).toEqual([['original_row', '7']]);
  expect(said(one, ['id', 'Original_Row'])).toEqual([['original_row_', '7']]);
  expect(said({ corrects: null, files: [{}, {}] } as never, ['id'])).toEqual([
    ['original_row', '7'],
    ['original_file', '=in/a.csv'],
  ]);
  const again = { corrects: 'bat_1', files: [{}] } as never;
  expect(said(again, ['original_row', 'id'])).toEqual([]);
  expect(said(again, ['id'])).toEqual([['original_row', '7']]);
  expect(rowColumnOf(['Original_Row', 'x', 'original_row_'])).toBe(2);
  expect([rowColumnOf(['original_rows']), fileColumnOf(['original_file'])]).toEqual([-1, 0]);
});
