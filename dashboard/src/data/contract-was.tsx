import { useWords } from '../words/words.ts';
import { valuesShown } from './column-rules.tsx';
import type { ContractColumn, ContractTable } from './contract.ts';
import { correctionWords } from './correction-words.ts';
import { columnFields, columnValue, tableFields, tableValue } from './corrections.ts';
import { useSaid } from './use-said.ts';
import { dataWords } from './words.ts';

/** What the contract said of a table, where corrections say something else. */
export function TableWas({ table, before }: { readonly table: ContractTable; readonly before: ContractTable }) {
  const correction = useWords(correctionWords);
  const saidOf = useSaid();
  const changed = tableFields.filter((field) => table[field] !== before[field]);
  return (
    <Was
      of={changed.map((field) => correction.was(correction.fields[field], saidOf(field, tableValue(before, field))))}
    />
  );
}

/** The same of a column. */
export function ColumnWas({ column, before }: { readonly column: ContractColumn; readonly before: ContractColumn }) {
  const w = useWords(dataWords);
  const correction = useWords(correctionWords);
  const saidOf = useSaid();
  const changed = columnFields.filter((field) => columnValue(column, field) !== columnValue(before, field));
  const lost = [
    before.minimum !== null && column.minimum === null && w.atLeast(String(before.minimum)),
    before.maximum !== null && column.maximum === null && w.atMost(String(before.maximum)),
    before.pattern !== null && column.pattern === null && w.pattern(before.pattern),
    before.values !== null && column.values === null && w.oneOf(before.values.slice(0, valuesShown).join(', ')),
    isOtherFormat(before) && column.format !== before.format && before.format,
  ].filter((one) => typeof one === 'string');
  return (
    <Was
      of={[
        ...changed.map((field) => correction.was(correction.fields[field], saidOf(field, columnValue(before, field)))),
        ...lost.map((rule) => correction.lost(rule)),
      ]}
    />
  );
}

/** Of texts, which no correction gives. */
const isOtherFormat = (column: ContractColumn): boolean =>
  column.format !== null && columnValue(column, 'format') === '' && columnValue(column, 'isIdentifier') === false;

function Was({ of }: { readonly of: readonly string[] }) {
  return (
    of.length > 0 && (
      <ul className="my-1 border-accent border-l-2 bg-accent-soft px-2 py-0.5 text-meta">
        {of.map((said) => (
          <li key={said} className="break-words">
            {said}
          </li>
        ))}
      </ul>
    )
  );
}
