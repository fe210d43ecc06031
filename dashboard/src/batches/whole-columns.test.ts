import { expect, test } from 'vitest';
import { openNumbers, wholeColumns } from './whole-columns.ts';

const asked = { include: ['row', 'input_columns'], column_mapping: {}, reference_column: null } as const;
const answered = ['id', 'correlation_id', 'reference_id', 'score', 'as_of', 'row'];

/** The columns that are written, those of the file first. */
function written(
  asked: Parameters<typeof wholeColumns>[0],
  head: readonly string[] | null,
  columns: readonly string[],
) {
  const { sent, answered } = wholeColumns(asked, head, columns);
  return [sent.map(({ at, name }) => `${at} ${name}`), answered.map((at) => columns[at])];
}

test('all that was sent stands first, in its order, and what nobody has sent is not there', () => {
  const head = ['my_ref', ' ID', 'reference_date'];
  expect(written(asked, head, [...answered, 'my_ref'])).toEqual([
    ['0 my_ref', '1 ID', '2 reference_date'],
    ['score', 'as_of', 'row'],
  ]);
  expect(written(asked, ['reference_id', 'id', 'correlation_id'], answered)).toEqual([
    ['0 reference_id', '1 id', '2 correlation_id'],
    ['score', 'as_of', 'row'],
  ]);
  // What is read from columns of other names is there once, by the name that it was sent under.
  const mapped = { ...asked, column_mapping: { id: 'CNPJ', reference_date: 'Data' }, reference_column: 'Ref' };
  expect(written(mapped, ['Data', 'Ref', 'CNPJ', 'nota'], [...answered, 'nota'])).toEqual([
    ['0 Data', '1 Ref', '2 CNPJ', '3 nota'],
    ['score', 'as_of', 'row'],
  ]);
});

test('columns of both that are called alike are told apart as in the result', () => {
  // A score that nothing reads, and one that the model reads.
  const kept = ['0 id', '1 input_score', '2 input_as_of'];
  expect(written(asked, ['id', 'score', 'as_of'], [...answered, 'input_score', 'input_as_of'])[0]).toEqual(kept);
  expect(written(asked, ['id', 'score'], answered)).toEqual([
    ['0 id', '1 input_score'],
    ['score', 'as_of', 'row'],
  ]);
});

test('what was asked not to be kept is left out, and a file that cannot be read adds nothing', () => {
  const without = { ...asked, include: [], reference_column: 'my_ref' };
  expect(written(without, ['note', 'id', 'my_ref', 'reference_date', 'score'], answered.slice(0, 5))).toEqual([
    ['1 id', '2 my_ref', '3 reference_date'],
    ['score', 'as_of'],
  ]);
  expect(written(asked, null, answered)).toEqual([[], answered]);
});

test('rows of a result are numbered without those that were left out', () => {
  const next = openNumbers(new Set([1, 3, 4]));
  expect([next(), next(), next()]).toEqual([2, 5, 6]);
});
