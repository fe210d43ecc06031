import { KeyRound } from 'lucide-react';
import { Fragment } from 'react';
import { Button } from '../kit/button.tsx';
import { Tag } from '../kit/status.tsx';
import { useWords } from '../words/words.ts';
import { ColumnRules } from './column-rules.tsx';
import type { ContractColumn, ContractTable } from './contract.ts';
import { ColumnWas, TableWas } from './contract-was.tsx';
import { correctionWords } from './correction-words.ts';
import { Doubt, type Noting, UnnamedDoubt } from './doubt.tsx';
import type { Guess } from './report.ts';
import { ScrollPanel } from './scroll-panel.tsx';
import { TypeName } from './types.tsx';
import type { Mistake } from './use-proposal.ts';
import { dataWords } from './words.ts';

/** One table of a contract with its columns, and what is to be checked of them. */
export function TableOfColumns({
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
                      <ColumnRules column={column} />
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
