import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useList } from '../api/use-data.ts';
import { Select } from '../kit/field.tsx';
import { ExportButton, ListTable } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Empty, NothingFound } from '../kit/states.tsx';
import { Tag } from '../kit/status.tsx';
import type { Column } from '../kit/table.tsx';
import { useVersions } from '../models/use-models.ts';
import { useWords } from '../words/words.ts';
import { type Move, MoveText, WatchedLink, type WatchList } from './scores.tsx';
import { watchListWords } from './words.ts';

const causes = ['data', 'time', 'version'] as const;
const pageSize = 100;

/** Who has moved, from what to what and why, the newest first. */
export function Moves({ list: { id, table, model_id: modelId, moves } }: { readonly list: WatchList }) {
  const w = useWords(watchListWords);
  const client = useClient();
  const [because, narrow] = useState<(typeof causes)[number] | ''>('');
  const list = useList(['watch-lists', id, 'moves', because, moves], (cursor, signal) =>
    client.watchLists.listMoves(
      id,
      { limit: pageSize, ...(because && { because }), ...(cursor ? { cursor } : {}) },
      { signal },
    ),
  );
  const columns = useColumns(table, modelId);
  if (moves === 0) return <Empty title={w.noMoves}>{w.noMovesBody}</Empty>;
  return (
    <>
      <div className="mb-3 flex items-center justify-between gap-3">
        <Select
          aria-label={w.because}
          className="!w-48"
          value={because}
          options={[{ value: '', label: w.all }, ...causes.map((cause) => ({ value: cause, label: w.causes[cause] }))]}
          onValue={narrow}
        />
        <ExportButton name="watch-list-moves.csv" list={list} columns={columns} />
      </div>
      <ListTable
        list={list}
        label={w.moves}
        columns={columns}
        keyOf={(move) => move.id}
        empty={<NothingFound onClear={() => narrow('')} />}
      />
    </>
  );
}

function useColumns(table: string, modelId: string): readonly Column<Move>[] {
  const w = useWords(watchListWords);
  return useMemo(
    () => [
      {
        key: 'key',
        head: w.entity,
        width: 'minmax(130px, 1fr)',
        cell: ({ key }) => <WatchedLink table={table} of={key} />,
        below: (move) => <MoveText of={move} />,
        text: ({ key }) => key,
      },
      {
        key: 'move',
        head: w.move,
        width: 'minmax(300px, 2fr)',
        isMinor: true,
        cell: (move) => <MoveText of={move} />,
        text: ({ from, to }) => `${from.band ?? from.score} > ${to.band ?? to.score}`,
      },
      {
        key: 'because',
        head: w.because,
        width: '140px',
        cell: ({ because }) => <Tag>{w.causes[because as keyof typeof w.causes]}</Tag>,
        text: ({ because }) => because,
      },
      {
        key: 'version_id',
        head: w.version,
        width: '96px',
        isMinor: true,
        cell: ({ version_id: id }) => <VersionLink modelId={modelId} id={id} />,
        text: ({ version_id: id }) => id,
      },
      {
        key: 'at',
        head: w.at,
        width: '132px',
        isMinor: true,
        cell: ({ at }) => <Moment at={at} />,
        text: ({ at }) => at,
      },
    ],
    [w, table, modelId],
  );
}

/** The page of a version, by its number where that is known. */
export function VersionLink({ modelId, id }: { readonly modelId: string; readonly id: string }) {
  const number = useVersions(modelId).data?.find((version) => version.id === id)?.number;
  return (
    <Link
      to="/models/$model_id/versions/$version_id"
      params={{ model_id: modelId, version_id: id }}
      className="rounded text-accent underline underline-offset-2"
    >
      {number === undefined ? id.slice(0, 12) : `v${number}`}
    </Link>
  );
}
