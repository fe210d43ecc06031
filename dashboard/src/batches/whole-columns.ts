import type { Batch } from './batch.ts';
import { broughtColumns } from './result-columns.ts';
import { placeOfColumn } from './source-rows.ts';

const dayInput = 'reference_date';

type Asked = Pick<Batch, 'include' | 'column_mapping' | 'reference_column'>;

/**
 * The columns that were sent, by their places in that file, and those of the result that say more than these. `head`: of
 * the file that was sent; null where it cannot be read. A column that is called as one of the answers stays called
 * `input_<name>`, as in the result; others that were asked not to be kept are not there.
 */
export function wholeColumns(
  { include, column_mapping: mapping, reference_column: reference }: Asked,
  head: readonly string[] | null,
  answered: readonly string[],
) {
  if (head === null) return { sent: [], answered: [...answered.keys()] };
  const isKept = include.includes('input_columns');
  // What the service repeats stands at the end of its rows, in the order of the file.
  let end = answered.length;
  const sent = [...head.entries()].toReversed().map(([at, column]) => {
    const name = column.trim();
    const last = answered[end - 1] ?? '';
    const isRepeated = isKept && last.endsWith(name) && /^(input_)*$/.test(last.slice(0, -name.length));
    if (isRepeated) end--;
    return { at, name: isRepeated ? last : name, isRepeated };
  });
  sent.reverse();
  const keys = answered.slice(0, answered.indexOf(broughtColumns[0]!));
  const given = [...keys, ...broughtColumns, mapping[dayInput] ?? dayInput, reference ?? '', ...Object.values(mapping)];
  const names = sent.map(({ name }) => name);
  const isSaid = (name: string): boolean =>
    broughtColumns.includes(name) ||
    Object.hasOwn(mapping, name) ||
    (keys.includes(name) && placeOfColumn(names, name) >= 0);
  const own = [...answered.keys()].slice(0, end).filter((at) => !isSaid(answered[at]!));
  const said = own.map((at) => answered[at]!);
  return {
    sent: sent.flatMap(({ at, name, isRepeated }) => {
      if (!isKept && placeOfColumn(given, name) < 0) return [];
      let free = name;
      while (!isRepeated && placeOfColumn(said, free) >= 0) free = `input_${free}`;
      return [{ at, name: free }];
    }),
    answered: own,
  };
}

/** Numbers the rows of a result that does not say them: in order, without those that were left out. */
export function openNumbers(leftOut: ReadonlySet<number>): () => number {
  let number = 0;
  return () => {
    do number++;
    while (leftOut.has(number));
    return number;
  };
}
