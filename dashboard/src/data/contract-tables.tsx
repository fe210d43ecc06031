import { KeyRound } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Tag } from '../kit/status.tsx';
import { useWords } from '../words/words.ts';
import type { ContractColumn, ContractTable } from './contract.ts';
import { ScrollPanel } from './scroll-panel.tsx';
import { dataWords } from './words.ts';

/** Values of a list that are shown. */
const valuesShown = 8;

/** Every table with its columns, as one long page that the browser can search; `chosen` is scrolled to. */
export function ContractTables({
  tables,
  chosen,
  onSee,
}: {
  readonly tables: readonly ContractTable[];
  readonly chosen: string | undefined;
  onSee(table: string): void;
}) {
  const w = useWords(dataWords);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen) place.current?.scrollIntoView({ block: 'start' });
  }, [chosen]);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[180px_minmax(0,1fr)]">
      <nav
        aria-label={w.tabs.tables}
        className="top-16 hidden max-h-[calc(100dvh-90px)] overflow-y-auto lg:sticky lg:block"
      >
        <ul>
          {tables.map(({ name }) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => onSee(name)}
                aria-current={name === chosen || undefined}
                className={`w-full truncate rounded px-2 py-1 text-left font-mono text-meta hover:bg-sunken ${name === chosen ? 'bg-sunken text-ink' : 'text-ink2'}`}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex min-w-0 flex-col gap-6">
        {tables.map((table) => (
          <div key={table.name} ref={table.name === chosen ? place : undefined} className="scroll-mt-16">
            <TableOfColumns table={table} />
          </div>
        ))}
      </div>
    </div>
  );
}

function TableOfColumns({ table }: { readonly table: ContractTable }) {
  const w = useWords(dataWords);
  const { name, businessName, description, entityKind, eventTime, knownAt } = table;
  return (
    <>
      <div className="mb-1.5 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="font-mono font-semibold text-body">{name}</h2>
        {businessName && <bdi className="text-ink2">{businessName}</bdi>}
        <span className="flex flex-wrap gap-1.5">
          {entityKind && <Tag>{(w.kinds as Readonly<Record<string, string>>)[entityKind] ?? entityKind}</Tag>}
          {eventTime && <Tag>{w.eventTime(eventTime)}</Tag>}
          {knownAt && <Tag>{w.knownAt(knownAt)}</Tag>}
        </span>
      </div>
      {description && <p className="mb-2 max-w-3xl break-words text-ink2">{description}</p>}
      <ScrollPanel label={name}>
        <table className="w-full min-w-[640px] border-collapse text-body">
          <thead>
            <tr className="border-line border-b text-left text-ink3 text-meta">
              <th scope="col" className="h-8 w-[24%] px-3 font-normal">
                {w.column}
              </th>
              <th scope="col" className="h-8 w-[12%] px-3 font-normal">
                {w.type}
              </th>
              <th scope="col" className="h-8 w-[34%] px-3 font-normal">
                {w.rules}
              </th>
              <th scope="col" className="h-8 px-3 font-normal">
                {w.meaning}
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {table.columns.map((column) => (
              <tr key={column.name} className="align-top">
                <th scope="row" className="px-3 py-2 text-left font-normal">
                  <span className="inline-flex items-center gap-1.5 break-all font-mono text-meta">
                    {column.isKey && <KeyRound size={12} className="shrink-0 text-ink3" aria-label={w.key} />}
                    {column.name}
                  </span>
                </th>
                <td className="px-3 py-2 text-ink2 text-meta">
                  {column.type}
                  {column.format && <span className="text-ink3"> · {column.format}</span>}
                  {column.unit && <span className="text-ink3"> · {column.unit}</span>}
                </td>
                <td className="px-3 py-2">
                  <Rules column={column} />
                </td>
                <td className="break-words px-3 py-2 text-ink2">
                  {column.businessName && <bdi className="text-ink">{column.businessName}. </bdi>}
                  {column.description}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollPanel>
    </>
  );
}

function Rules({ column }: { readonly column: ContractColumn }) {
  const w = useWords(dataWords);
  const { values, minimum, maximum, pattern, knownFrom, missingValues, aliases } = column;
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
      {column.isPersonal && <Tag tone="warn">{w.personal}</Tag>}
      {column.isGraphKey && <Tag>{w.graphKey}</Tag>}
      {said.length > 0 && <span className="min-w-0 break-words text-ink2 text-meta">{said.join(' · ')}</span>}
    </span>
  );
}
