import { useMemo } from 'react';
import { useClient } from '../api/session.tsx';
import { useList } from '../api/use-data.ts';
import { ExportButton, ListTable } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Empty } from '../kit/states.tsx';
import { Dot } from '../kit/status.tsx';
import type { Column } from '../kit/table.tsx';
import { useWords } from '../words/words.ts';
import { type Entry, HistoryLine, ScoreText, WatchedLink, type WatchList } from './scores.tsx';
import { watchListWords } from './words.ts';

const pageSize = 100;

/** Who is on a list, with their present scores. */
export function Entries({ list: { id, table, as_of: asOf, entries } }: { readonly list: WatchList }) {
  const w = useWords(watchListWords);
  const client = useClient();
  const list = useList(['watch-lists', id, 'entries', asOf, entries.total, entries.waiting], (cursor, signal) =>
    client.watchLists.listEntries(id, { limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  const columns = useColumns(table);
  return (
    <ListTable
      list={list}
      label={w.entries}
      columns={columns}
      keyOf={(entry) => entry.id}
      above={
        <div className="mb-3 flex justify-end">
          <ExportButton name="watch-list.csv" list={list} columns={columns} />
        </div>
      }
      empty={<Empty title={w.noEntries}>{w.noEntriesBody}</Empty>}
    />
  );
}

function useColumns(table: string): readonly Column<Entry>[] {
  const w = useWords(watchListWords);
  return useMemo(
    () => [
      {
        key: 'key',
        head: w.entity,
        width: 'minmax(150px, 1.2fr)',
        cell: ({ key }) => <WatchedLink table={table} of={key} />,
        below: (entry) => <ScoreCell of={entry} />,
        text: ({ key }) => key,
      },
      {
        key: 'score',
        head: w.score,
        width: 'minmax(180px, 1.2fr)',
        isMinor: true,
        cell: (entry) => <ScoreCell of={entry} />,
        text: ({ score }) => score,
      },
      { key: 'history', head: w.history, width: '120px', cell: (entry) => <HistoryLine of={entry} /> },
      {
        key: 'told',
        head: w.told,
        width: 'minmax(220px, 1.4fr)',
        isMinor: true,
        cell: ({ told }) =>
          told && (
            <span className="inline-flex items-center gap-2">
              <ScoreText of={told} />
              <span className="text-ink3">
                <Moment at={told.at} />
              </span>
            </span>
          ),
        text: ({ told }) => told?.score,
      },
    ],
    [w, table],
  );
}

function ScoreCell({ of: { status, score, band } }: { readonly of: Entry }) {
  const w = useWords(watchListWords);
  if (score !== null) return <ScoreText of={{ score, band }} />;
  return <Dot tone={status === 'waiting' ? 'live' : 'quiet'}>{w.statuses[status as keyof typeof w.statuses]}</Dot>;
}
