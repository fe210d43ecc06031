import { lazy, Suspense, useMemo, useState } from 'react';
import { useSession } from '../api/session.tsx';
import { Button } from '../kit/button.tsx';
import { Section } from '../kit/page.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { importPart } from '../shell/new-build.ts';
import { type Format, useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { sayDeviation } from './deviation-words.ts';
import { ingestionWords } from './ingestion-words.ts';
import { sayNotice } from './notice-words.ts';
import type { Notice, Report, ReportFile, TableChange } from './report.ts';
import { dataWords } from './words.ts';

const height = 'max-h-96';

/** Loaded where somebody asks for it. */
const FileReaders = lazy(async () => ({ default: (await importPart(() => import('./file-readers.tsx'))).FileReaders }));

/** What an ingestion read and changed, and what to look at. */
export function IngestionReport({ report }: { readonly report: Report }) {
  const w = useWords(ingestionWords);
  const changeColumns = useChangeColumns();
  const [asked, setAsked] = useState<ReportFile | null>(null);
  const fileColumns = useFileColumns(setAsked);
  const { changes = [], files = [], warnings = [] } = report;
  const format = useFormat();
  const notes = [...changes, ...files].flatMap((one) => tell(one.notes, one.note_codes, format));
  const warned = [
    ...tell(warnings, report.warning_codes, format),
    ...files.flatMap(({ path, warnings: found }) => found.map((warning) => tellDeviation(path, warning, format, w))),
  ];
  return (
    <>
      {changes.length > 0 && (
        <Section title={w.tableChanges}>
          <Table
            label={w.tableChanges}
            columns={changeColumns}
            rows={changes}
            keyOf={({ table }) => table}
            height={height}
          />
        </Section>
      )}
      {warned.length > 0 && (
        <Section title={w.warnings}>
          <ul className="divide-y divide-line rounded-[6px] border border-warn/30 bg-warn-soft px-3">
            <Sentences of={warned} className="py-1.5" />
          </ul>
        </Section>
      )}
      {files.length > 0 && (
        <Section title={w.filesRead}>
          <Table
            label={w.filesRead}
            columns={fileColumns}
            rows={files}
            keyOf={({ file_id, table }) => `${file_id} ${table}`}
            height={height}
          />
          {asked && (
            <Suspense>
              <FileReaders id={asked.file_id} path={asked.path} onClose={() => setAsked(null)} />
            </Suspense>
          )}
        </Section>
      )}
      {notes.length > 0 && (
        <Section title={w.notes}>
          <ul className="list-disc pl-4 text-ink2">
            <Sentences of={notes} />
          </ul>
        </Section>
      )}
    </>
  );
}

/** What the service noticed, in the language of the page where that has words for it. */
type Told = { readonly text: string; readonly isEnglish: boolean };

function Sentences({ of, className = '' }: { readonly of: readonly Told[]; readonly className?: string }) {
  const said = new Map(of.map((told) => [told.text, told]));
  return [...said.values()].map(({ text, isEnglish }) => (
    <li key={text} lang={isEnglish ? 'en' : undefined} className={`break-words ${className}`}>
      {text}
    </li>
  ));
}

function tell(texts: readonly string[], codes: readonly Notice[] | undefined, format: Format): Told[] {
  return texts.map((text, at) => {
    const said = format.language === 'en' ? null : sayNotice(codes?.[at], format);
    return { text: said ?? text, isEnglish: said === null };
  });
}

function tellDeviation(
  path: string,
  { rule, column, count, message, values }: ReportFile['warnings'][number],
  format: Format,
  w: typeof ingestionWords.en,
): Told {
  const said = format.language === 'en' ? null : sayDeviation(rule, values);
  if (said === null) return { text: `${path}: ${message}`, isEnglish: true };
  const rows = count === 0 ? [] : [w.rowsConcerned(format.integer(count), count === 1)];
  return { text: [path, ...(column === null ? [] : [column]), ...rows, said].join(': '), isEnglish: false };
}

function useChangeColumns(): readonly Column<TableChange>[] {
  const w = useWords(dataWords);
  const own = useWords(ingestionWords);
  const format = useFormat();
  return useMemo(() => {
    const count =
      (key: keyof TableChange & ('before' | 'after' | 'added' | 'changed' | 'removed' | 'identical')) =>
      (change: TableChange) => {
        const value = change[key];
        if (value === null) return <span className="text-ink3">?</span>;
        return value === 0 ? <span className="text-ink3">0</span> : format.integer(value);
      };
    const column = (key: Parameters<typeof count>[0], head: string, isMinor = false): Column<TableChange> => ({
      key,
      head,
      width: '92px',
      isRight: true,
      isMinor,
      cell: count(key),
    });
    return [
      {
        key: 'table',
        head: w.table,
        width: 'minmax(120px, 1fr)',
        cell: ({ table }) => <span className="font-mono text-meta">{table}</span>,
      },
      column('before', own.beforeRows, true),
      column('added', own.newRows),
      column('changed', own.changedRows, true),
      column('removed', own.removedRows, true),
      column('identical', own.sameRows, true),
      column('after', own.afterRows),
    ];
  }, [w, own, format]);
}

function useFileColumns(onAsked: (file: ReportFile) => void): readonly Column<ReportFile>[] {
  const w = useWords(dataWords);
  const own = useWords(ingestionWords);
  const format = useFormat();
  const { can } = useSession();
  const isReader = can('view_files');
  return useMemo(
    () => [
      {
        key: 'path',
        head: own.file,
        width: 'minmax(140px, 1.6fr)',
        cell: ({ path }) => {
          const at = path.lastIndexOf('/') + 1;
          return (
            <bdi title={path}>
              <span className="max-sm:hidden">{path.slice(0, at)}</span>
              {path.slice(at)}
            </bdi>
          );
        },
      },
      {
        key: 'table',
        head: w.table,
        width: 'minmax(100px, 1fr)',
        isMinor: true,
        cell: ({ table }) => <span className="font-mono text-meta">{table}</span>,
      },
      {
        key: 'mode',
        head: w.mode,
        width: 'minmax(120px, 1fr)',
        isMinor: true,
        cell: ({ mode }) => (w.modes as Readonly<Record<string, string>>)[mode] ?? mode,
      },
      { key: 'rows', head: w.rows, width: '92px', isRight: true, cell: ({ rows }) => format.integer(rows) },
      {
        key: 'rejected',
        head: own.rejectedRows,
        width: '92px',
        isRight: true,
        cell: ({ rejected }) =>
          rejected > 0 ? (
            <span className="text-bad">{format.integer(rejected)}</span>
          ) : (
            <span className="text-ink3">0</span>
          ),
      },
      ...(isReader
        ? [
            {
              key: 'readers',
              head: <span className="sr-only">{own.readers}</span>,
              width: '130px',
              isRight: true,
              isMinor: true,
              cell: (file: ReportFile) => (
                <Button size="small" onClick={() => onAsked(file)}>
                  {own.readers}
                </Button>
              ),
            },
          ]
        : []),
    ],
    [w, own, format, isReader, onAsked],
  );
}
