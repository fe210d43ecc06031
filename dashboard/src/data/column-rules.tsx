import { Tag } from '../kit/status.tsx';
import { useWords } from '../words/words.ts';
import type { ContractColumn } from './contract.ts';
import { dataWords } from './words.ts';

/** Values of a list that are shown. */
export const valuesShown = 8;

/** What a contract says of the values of a column. */
export function ColumnRules({ column }: { readonly column: ContractColumn }) {
  const w = useWords(dataWords);
  const { values, minimum, maximum, pattern, knownFrom, missingValues, aliases, decimalSeparator } = column;
  const quoted = (texts: readonly string[]) =>
    `${texts
      .slice(0, valuesShown)
      .map((text) => `“${text}”`)
      .join(', ')}${texts.length > valuesShown ? '…' : ''}`;
  const said = [
    column.isRequired && !column.isKey && w.required,
    column.isUnique && !column.isKey && w.unique,
    values && w.oneOf(`${values.slice(0, valuesShown).join(', ')}${values.length > valuesShown ? '…' : ''}`),
    minimum !== null && w.atLeast(String(minimum)),
    maximum !== null && w.atMost(String(maximum)),
    pattern && w.pattern(pattern),
    decimalSeparator === ',' && w.decimalComma,
    knownFrom && w.knownFrom(knownFrom),
    column.isPlanned && w.planned,
    column.isMutable && w.mutable,
    missingValues.length > 0 && w.missing(quoted(missingValues)),
    aliases.length > 0 && w.aliases(aliases.join(', ')),
  ].filter((one) => typeof one === 'string');
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {column.isKey && <Tag>{w.key}</Tag>}
      {column.references.map(({ table, column: target }) => (
        <Tag key={`${table}.${target}`} tone="live">
          {w.references(`${table}.${target}`)}
        </Tag>
      ))}
      {column.isPersonal && <Tag>{w.personal}</Tag>}
      {column.isGraphKey && <Tag>{w.graphKey}</Tag>}
      {said.length > 0 && <span className="min-w-0 break-words text-ink2 text-meta">{said.join(' · ')}</span>}
    </span>
  );
}
