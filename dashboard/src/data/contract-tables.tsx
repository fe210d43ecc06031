import { useEffect, useMemo, useRef, useState } from 'react';
import { useWords } from '../words/words.ts';
import type { ContractTable } from './contract.ts';
import { CorrectColumn, CorrectTable } from './correct-dialog.tsx';
import { correctionWords } from './correction-words.ts';
import { saidInstead } from './corrections.ts';
import { doubtsOf } from './doubts.ts';
import type { Guess } from './report.ts';
import { TableOfColumns } from './table-of-columns.tsx';
import { unnamedKinds } from './unnamed-kinds.ts';
import type { Correcting } from './use-corrections.ts';
import { dataWords } from './words.ts';

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
