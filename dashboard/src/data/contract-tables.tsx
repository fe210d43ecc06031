import { KeyRound } from 'lucide-react';
import { Fragment, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Tag } from '../kit/status.tsx';
import { useWords } from '../words/words.ts';
import type { ContractColumn, ContractTable } from './contract.ts';
import { CorrectColumn, CorrectTable } from './correct-dialog.tsx';
import { correctionWords } from './correction-words.ts';
import { columnFields, columnValue, saidInstead, tableFields, tableValue } from './corrections.ts';
import { Doubt, type Noting, UnnamedDoubt } from './doubt.tsx';
import { doubtsOf } from './doubts.ts';
import type { Guess } from './report.ts';
import { ScrollPanel } from './scroll-panel.tsx';
import { TypeName } from './types.tsx';
import { unnamedKinds } from './unnamed-kinds.ts';
import type { Correcting } from './use-corrections.ts';
import type { Mistake } from './use-proposal.ts';
import { useSaid } from './use-said.ts';
import { dataWords } from './words.ts';

/** Values of a list that are shown. */
const valuesShown = 8;

/**
 * Every table with its columns, as one long page that the browser can search; `chosen` is scrolled to. The columns
 * `late` (`table.column`) are marked, the first of them scrolled to, and said of each by a click that it is known only
 * later. `guesses` of low confidence stand beside what they are about. `correcting`: null for those who cannot correct it.
 */
export function ContractTables({
  tables,
  chosen,
  late = [],
  guesses,
  correcting,
  onSee,
}: {
  readonly tables: readonly ContractTable[];
  readonly chosen: string | undefined;
  readonly late: readonly string[] | undefined;
  readonly guesses: readonly Guess[];
  readonly correcting: Correcting | null;
  onSee(table: string): void;
}) {
  const w = useWords(dataWords);
  const place = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<{ readonly table: string; readonly column: string | null } | null>(null);
  const [firstLate] = late;
  useEffect(() => {
    const row = firstLate && window.document.querySelector(`[data-column=${JSON.stringify(firstLate)}]`);
    if (row) row.scrollIntoView({ block: 'center' });
    else if (chosen) place.current?.scrollIntoView({ block: 'start' });
  }, [chosen, firstLate]);
  const byTable = Map.groupBy(guesses, ({ table }) => table);
  const before = correcting?.before ?? tables;
  const isCorrected = correcting !== null;
  const unnamed = useMemo(() => (isCorrected ? unnamedKinds(tables) : new Set<string>()), [isCorrected, tables]);
  const doubtsAt = (at: number) =>
    doubtsOf(tables[at], before[at] ?? tables[at], byTable.get(tables[at].name) ?? []).filter(
      (guess) => !correcting?.confirmed.has(guess),
    );
  /** Why a table, or its column, says what it does: of what it says no more there is none. */
  const whysOf = (table: ContractTable, column: string | null) => {
    const was = before.find(({ name }) => name === table.name) ?? table;
    return (byTable.get(table.name) ?? []).filter(
      (one) => one.column === column && saidInstead(one, table, was).length === 0,
    );
  };
  const ofTable = tables.find(({ name }) => name === open?.table);
  const ofColumn = ofTable?.columns.find(({ name }) => name === open?.column);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[180px_minmax(0,1fr)]">
      <nav
        aria-label={w.tabs.tables}
        className="top-16 hidden max-h-[calc(100dvh-90px)] overflow-y-auto lg:sticky lg:block"
      >
        <ul>
          {tables.map((table, at) => (
            <li key={table.name}>
              <button
                type="button"
                onClick={() => onSee(table.name)}
                aria-current={table.name === chosen || undefined}
                className={`flex w-full items-baseline gap-2 rounded px-2 py-1 text-left text-meta hover:bg-sunken ${table.name === chosen ? 'bg-sunken text-ink' : 'text-ink2'}`}
              >
                <span className="min-w-0 flex-1 truncate font-mono">{table.name}</span>
                <CheckCount of={doubtsAt(at).length + (unnamed.has(table.name) ? 1 : 0)} />
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex min-w-0 flex-col gap-6">
        <Terms />
        {tables.map((table, at) => (
          <div key={table.name} ref={table.name === chosen ? place : undefined} className="scroll-mt-16">
            <TableOfColumns
              table={table}
              before={before[at] ?? table}
              doubts={doubtsAt(at)}
              isUnnamed={unnamed.has(table.name)}
              late={late}
              mistakes={correcting?.mistakes.filter((mistake) => mistake.table === at) ?? []}
              tables={tables}
              onNote={correcting?.correct ?? null}
              onConfirm={correcting?.confirm ?? null}
              onCorrect={correcting && ((column) => setOpen({ table: table.name, column }))}
            />
          </div>
        ))}
      </div>
      {correcting && ofTable && open?.column === null && (
        <CorrectTable
          table={ofTable}
          guesses={whysOf(ofTable, null)}
          onCorrect={(values) => correcting.correct(ofTable.name, null, values)}
          onClose={() => setOpen(null)}
        />
      )}
      {correcting && ofTable && ofColumn && (
        <CorrectColumn
          tables={tables}
          table={ofTable}
          column={ofColumn}
          guesses={whysOf(ofTable, ofColumn.name)}
          onCorrect={(values) => correcting.correct(ofTable.name, ofColumn.name, values)}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
}

/** What a contract can say of columns, for those who read one for the first time. */
function Terms() {
  const w = useWords(dataWords);
  const correction = useWords(correctionWords);
  const { fields, fieldHints: hints } = correction;
  const terms = ['isKey', 'reference', 'isPersonal', 'isPlanned', 'knownFrom', 'isMutable', 'eventTime'] as const;
  return (
    <details className="rounded-[8px] border border-line bg-panel px-3">
      <summary className="py-2 font-medium">{correction.terms}</summary>
      <dl className="mb-3 grid gap-x-6 gap-y-2 text-meta sm:grid-cols-[max-content_minmax(0,1fr)]">
        {terms.map((term) => (
          <div key={term} className="contents">
            <dt>{fields[term]}</dt>
            <dd className="text-ink2 max-sm:-mt-2">{hints[term]}</dd>
          </div>
        ))}
        <dt>{w.type}</dt>
        <dd className="text-ink2 max-sm:-mt-2">
          {Object.entries(w.types)
            .map(([name, said]) => `${said} (${name})`)
            .join(', ')}
        </dd>
      </dl>
    </details>
  );
}

function CheckCount({ of }: { readonly of: number }) {
  const w = useWords(dataWords);
  return (
    of > 0 && (
      <span className="shrink-0 text-warn tabular-nums" title={w.toCheckCount(of)}>
        {of}
        <span className="sr-only"> {w.toCheck}</span>
      </span>
    )
  );
}

function TableOfColumns({
  table,
  before,
  doubts,
  isUnnamed,
  late,
  mistakes,
  tables,
  onNote,
  onConfirm,
  onCorrect,
}: {
  readonly table: ContractTable;
  /** What the contract says without the corrections that are made now. */
  readonly before: ContractTable;
  readonly doubts: readonly Guess[];
  /** Whether others refer to its rows, and nothing says what they are. */
  readonly isUnnamed: boolean;
  readonly late: readonly string[];
  readonly mistakes: readonly Mistake[];
  readonly tables: readonly ContractTable[];
  readonly onNote: Noting;
  readonly onConfirm: ((guess: Guess) => void) | null;
  readonly onCorrect: ((column: string | null) => void) | null;
}) {
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
        {onCorrect && <CorrectButton of={name} onClick={() => onCorrect(null)} />}
      </div>
      <TableWas table={table} before={before} />
      <div className="mb-2 flex flex-col gap-2 empty:hidden">
        {isUnnamed && <UnnamedDoubt table={table} tables={tables} onNote={onNote} />}
        <Doubts
          of={doubts.filter(({ column }) => column === null)}
          table={table}
          onNote={onNote}
          onConfirm={onConfirm}
        />
        <Mistakes of={mistakes.filter(({ column }) => column === null)} />
      </div>
      {description && <p className="mb-2 max-w-3xl break-words text-ink2">{description}</p>}
      <ScrollPanel label={name}>
        {/* On narrow screens what is said of a column stands below its name. */}
        <table className="w-full border-collapse text-body max-sm:block sm:min-w-[640px]">
          <thead className="max-sm:hidden">
            <tr className="border-line border-b text-left text-ink3 text-meta">
              <th scope="col" className="h-8 w-[24%] px-3 font-normal">
                {w.column}
              </th>
              <th scope="col" className="h-8 w-[14%] px-3 font-normal">
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
          <tbody className="divide-y divide-line max-sm:block">
            {table.columns.map((column, at) => {
              const own = doubts.filter((doubt) => doubt.column === column.name);
              const isLate = late.includes(`${name}.${column.name}`);
              const hasMore = own.length > 0 || isLate;
              return (
                <Fragment key={column.name}>
                  <tr
                    data-column={`${name}.${column.name}`}
                    className={`align-top max-sm:block max-sm:py-2 ${hasMore ? 'border-b-0!' : ''} ${isLate ? 'bg-warn-soft' : ''}`}
                  >
                    <th scope="row" className={`${cell} text-left font-normal`}>
                      <span className="flex flex-wrap items-center justify-between gap-x-2">
                        <span className="inline-flex items-center gap-1.5 break-all font-mono text-meta">
                          {column.isKey && <KeyRound size={12} className="shrink-0 text-ink3" aria-label={w.key} />}
                          {column.name}
                        </span>
                        {onCorrect && (
                          <CorrectButton of={`${name}.${column.name}`} onClick={() => onCorrect(column.name)} />
                        )}
                      </span>
                    </th>
                    <td className={`${cell} text-ink2 text-meta`}>
                      <TypeName of={column.type} />
                      {column.format && <span className="text-ink3"> · {column.format}</span>}
                      {column.unit && <span className="text-ink3"> · {column.unit}</span>}
                    </td>
                    <td className={cell}>
                      <Rules column={column} />
                      <ColumnWas column={column} before={before.columns[at] ?? column} />
                      <Mistakes of={mistakes.filter((mistake) => mistake.column === at)} />
                    </td>
                    <td className={`${cell} break-words text-ink2`}>
                      {column.businessName && <bdi className="text-ink">{column.businessName}. </bdi>}
                      {column.description}
                    </td>
                  </tr>
                  {hasMore && (
                    <tr className={`max-sm:block ${isLate ? 'bg-warn-soft' : ''}`}>
                      <td colSpan={4} className={`${cell} space-y-2`}>
                        {isLate && (
                          <Late
                            column={column}
                            onNote={onNote && ((values) => onNote(name, column.name, values))}
                            onCorrect={onCorrect && (() => onCorrect(column.name))}
                          />
                        )}
                        <Doubts of={own} table={table} onNote={onNote} onConfirm={onConfirm} />
                      </td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </ScrollPanel>
    </>
  );
}

/** Of a column that is pointed at, as by a training that was refused for it: the usual remedy in one click. */
function Late({
  column,
  onNote,
  onCorrect,
}: {
  readonly column: ContractColumn;
  readonly onNote: ((values: Readonly<Record<string, string | boolean>>) => void) | null;
  readonly onCorrect: (() => void) | null;
}) {
  const { late, knownLater } = useWords(correctionWords);
  if (column.isMutable) return <p>{late.said}</p>;
  return (
    <>
      <p className="max-w-3xl">{onNote ? late.asked : late.others}</p>
      {onNote && onCorrect && (
        <div className="flex flex-wrap gap-2">
          <Button size="small" kind="primary" onClick={() => onNote({ isMutable: true, knownFrom: '' })}>
            {knownLater}
          </Button>
          <Button size="small" onClick={onCorrect}>
            {late.otherwise}
          </Button>
        </div>
      )}
    </>
  );
}

const cell = 'px-3 py-2 max-sm:block max-sm:py-0.5';

/** `of`: `table` or `table.column`, by which a mistake leads here. */
function CorrectButton({ of, onClick }: { readonly of: string; onClick(): void }) {
  const correction = useWords(correctionWords);
  return (
    <Button
      size="small"
      kind="quiet"
      className="-mx-2 -my-0.5 !h-6"
      data-corrects={of}
      aria-label={correction.correctOf(of)}
      onClick={onClick}
    >
      {correction.correct}
    </Button>
  );
}

function TableWas({ table, before }: { readonly table: ContractTable; readonly before: ContractTable }) {
  const correction = useWords(correctionWords);
  const saidOf = useSaid();
  const changed = tableFields.filter((field) => table[field] !== before[field]);
  return (
    <Was
      of={changed.map((field) => correction.was(correction.fields[field], saidOf(field, tableValue(before, field))))}
    />
  );
}

function ColumnWas({ column, before }: { readonly column: ContractColumn; readonly before: ContractColumn }) {
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

function Doubts({
  of,
  ...rest
}: {
  readonly of: readonly Guess[];
  readonly table: ContractTable;
  readonly onNote: Noting;
  readonly onConfirm: ((guess: Guess) => void) | null;
}) {
  return of.map((guess) => <Doubt key={`${guess.kind} ${guess.value}`} guess={guess} {...rest} />);
}

/** What the service has refused. */
function Mistakes({ of }: { readonly of: readonly Mistake[] }) {
  return (
    of.length > 0 && (
      <ul role="alert" className="mt-1 flex flex-col gap-1 text-bad text-meta">
        {of.map(({ text }) => (
          <li key={text} className="min-w-0 break-words">
            {text}
          </li>
        ))}
      </ul>
    )
  );
}

function Rules({ column }: { readonly column: ContractColumn }) {
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
