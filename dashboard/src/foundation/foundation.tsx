import type { Schemas } from '@lastro/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useList } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { Split } from '../kit/drawer.tsx';
import { Moment } from '../kit/moment.tsx';
import { Page, Section } from '../kit/page.tsx';
import { Empty, Failed, Skeleton, useBlock } from '../kit/states.tsx';
import { Tag } from '../kit/status.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { pageNames } from '../shell/pages.ts';
import { useWords } from '../words/words.ts';
import { GraphModel } from './graph-model.tsx';
import { Pretrain } from './pretrain.tsx';
import { RfmDrawer } from './rfm-drawer.tsx';
import { foundationWords } from './words.ts';

const route = getRouteApi('/_app/foundation');

type RfmVersion = Schemas['RfmVersion'];

/** The graph model that the workspace reads, and the relational models that it has pre-trained. */
export function Foundation() {
  const w = useWords(foundationWords);
  const { foundation: title } = useWords(pageNames);
  const { open } = route.useSearch();
  const navigate = useNavigate({ from: '/foundation' });
  const close = () => navigate({ search: {} });
  return (
    <Split drawer={open && <RfmDrawer key={open} id={open} onClose={close} />}>
      <Page
        title={title}
        description={w.description}
        actions={
          <CodeButton
            request={{ method: 'GET', path: '/v1/api/rfm-versions', typescript: 'lastro.rfmVersions.list()' }}
          />
        }
      >
        <RelationalModels open={open} onOpen={(id) => navigate({ search: { open: id } })} />
        <GraphModel />
      </Page>
    </Split>
  );
}

function RelationalModels({ open, onOpen }: { readonly open: string | undefined; onOpen(id: string): void }) {
  const w = useWords(foundationWords);
  const client = useClient();
  const block = useBlock('manage_aliases');
  const [isStarting, setStarting] = useState(false);
  const list = useList(['rfm-versions', 'pages'], (cursor, signal) =>
    client.rfmVersions.list({ limit: 100, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  /** The newest of each table: the list is newest first. */
  const current = useMemo(() => {
    const newest = new Map<string, string>();
    for (const { entity, id } of list.rows) if (!newest.has(entity)) newest.set(entity, id);
    return new Set(newest.values());
  }, [list.rows]);
  const columns: readonly Column<RfmVersion>[] = [
    { key: 'entity', head: w.table, width: 'minmax(110px, 1.2fr)', cell: ({ entity }) => entity },
    {
      key: 'number',
      head: w.version,
      width: '130px',
      cell: ({ number, id }) => (
        <>
          {number} {current.has(id) && <Tag tone="good">{w.current}</Tag>}
        </>
      ),
    },
    {
      key: 'gfm',
      head: w.with,
      width: 'minmax(120px, 1fr)',
      isMinor: true,
      cell: ({ gfm_version_id: gfm }) => (gfm ? <Id id={gfm} /> : <span className="text-ink3">{w.withNone}</span>),
    },
    { key: 'made', head: w.made, width: '130px', isRight: true, cell: ({ created_at: at }) => <Moment at={at} /> },
  ];
  const start = (
    <Button kind="primary" blocked={block} onClick={() => setStarting(true)}>
      {w.pretrain}
    </Button>
  );
  return (
    <Section title={w.rfm} description={w.rfmBody} className="!mt-0" actions={list.rows.length > 0 && start}>
      {list.isError ? (
        <Failed error={list.error} onRetry={() => list.refetch()} />
      ) : list.isPending ? (
        <Skeleton rows={4} />
      ) : list.rows.length === 0 ? (
        <Empty title={w.rfmNone} action={start}>
          {w.rfmNoneBody}
        </Empty>
      ) : (
        <Table
          label={w.rfm}
          columns={columns}
          rows={list.rows}
          keyOf={({ id }) => id}
          chosen={open}
          onOpen={({ id }) => onOpen(id)}
          onEnd={list.fetchMore}
          height="max-h-[400px]"
        />
      )}
      {isStarting && <Pretrain onClose={() => setStarting(false)} />}
    </Section>
  );
}
