import type { Schemas } from '@lastro/sdk';
import { useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange, useData, useList } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Moment } from '../kit/moment.tsx';
import { Section } from '../kit/page.tsx';
import { Failed, Skeleton, useBlock } from '../kit/states.tsx';
import { Tag } from '../kit/status.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { useModelList } from '../models/use-models.ts';
import { useWords } from '../words/words.ts';
import { foundationWords } from './words.ts';

type GfmVersion = Schemas['GfmVersion'];

/** Versions of the graph model that the operator has released, and which of them the workspace reads. */
export function GraphModel() {
  const w = useWords(foundationWords);
  const client = useClient();
  const block = useBlock('manage_aliases');
  const [asked, setAsked] = useState<GfmVersion | null>(null);
  const list = useList(['gfm-versions'], (cursor, signal) =>
    client.gfmVersions.list({ limit: 100, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  const adopt = useChange((id: string) => client.gfmVersions.adopt(id), {
    changes: [['gfm-versions']],
    isQuiet: true,
  });
  const readers = useReaders(list.rows.length > 0);
  const columns: readonly Column<GfmVersion>[] = [
    {
      key: 'name',
      head: w.version,
      width: 'minmax(140px, 1.4fr)',
      cell: ({ name, is_adopted: isAdopted, is_synthetic: isSynthetic }) => (
        <>
          {name} {isAdopted && <Tag tone="good">{w.adopted}</Tag>} {isSynthetic && <Tag>{w.synthetic}</Tag>}
        </>
      ),
    },
    {
      key: 'readers',
      head: w.readers,
      width: 'minmax(130px, 1.2fr)',
      cell: ({ id }) => {
        if (!readers) return <span className="text-ink3">…</span>;
        const names = readers.get(id);
        return names ? (
          <span title={names.join(', ')}>{names.join(', ')}</span>
        ) : (
          <span className="text-ink3">{w.readersNone}</span>
        );
      },
    },
    {
      key: 'generated',
      head: w.generated,
      width: '130px',
      isMinor: true,
      cell: ({ generated_at: at }) => <Moment at={at} />,
    },
    {
      key: 'released',
      head: w.released,
      width: '130px',
      isMinor: true,
      cell: ({ released_at: at }) => <Moment at={at} />,
    },
    {
      key: 'acts',
      head: <span className="sr-only">{w.adopt}</span>,
      width: '110px',
      isRight: true,
      cell: (version) =>
        !version.is_adopted && (
          <Button
            size="small"
            aria-label={w.adoptTitle(version.name)}
            blocked={block}
            onClick={() => setAsked(version)}
          >
            {w.adopt}
          </Button>
        ),
    },
  ];
  return (
    <Section title={w.gfm} description={w.gfmBody}>
      {list.isError ? (
        <Failed error={list.error} onRetry={() => list.refetch()} />
      ) : list.isPending ? (
        <Skeleton rows={3} />
      ) : list.rows.length === 0 ? (
        <p className="text-body text-ink2">{w.gfmNone}</p>
      ) : (
        <Table
          label={w.gfm}
          columns={columns}
          rows={list.rows}
          keyOf={({ id }) => id}
          onEnd={list.fetchMore}
          height="max-h-[400px]"
        />
      )}
      <Confirm
        title={w.adoptTitle(asked?.name ?? '')}
        body={w.adoptBody}
        action={w.adopt}
        isDanger={false}
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={() => adopt.mutateAsync(asked!.id)}
      />
    </Section>
  );
}

/** By version of the graph model: the versions behind an alias that read it. */
function useReaders(isOn: boolean): ReadonlyMap<string, readonly string[]> | undefined {
  const client = useClient();
  const models = useModelList(isOn);
  const aliased = models.data?.data.filter(({ aliases }) => aliases.length > 0) ?? [];
  const found = useData(
    ['models', 'graph-readers', aliased.map(({ id }) => id)],
    async (signal) => {
      const readers = new Map<string, string[]>();
      for (const { id, name } of aliased)
        for await (const version of client.models.versions.list(id, { limit: 200 }, { signal })) {
          const { gfm_version_id: gfm, aliases, number } = version;
          if (gfm !== null && aliases.length > 0) readers.set(gfm, [...(readers.get(gfm) ?? []), `${name} v${number}`]);
        }
      return readers;
    },
    { isOn: models.data !== undefined },
  );
  return found.data;
}
