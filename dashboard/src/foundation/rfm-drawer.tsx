import type { Schemas } from '@lastro/sdk';
import { Link } from '@tanstack/react-router';
import { useClient } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { Button, buttonClass } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { Drawer } from '../kit/drawer.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts } from '../kit/page.tsx';
import { saveAs } from '../kit/save-file.ts';
import { Failed, Skeleton, useBlock } from '../kit/states.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { pageNames } from '../shell/pages.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type Head, readReport } from './report.ts';
import { foundationWords } from './words.ts';

/** One version of a relational model: what it was made of, and how well it knows what comes next. */
export function RfmDrawer({ id, onClose }: { readonly id: string; onClose(): void }) {
  const client = useClient();
  const version = useData(['rfm-versions', 'one', id], (signal) => client.rfmVersions.get(id, { signal }));
  const { data } = version;
  return (
    <Drawer title={data ? `${data.entity} ${data.number}` : '…'} onClose={onClose}>
      {version.isError ? (
        <Failed error={version.error} onRetry={() => version.refetch()} />
      ) : data ? (
        <Detail version={data} />
      ) : (
        <Skeleton />
      )}
    </Drawer>
  );
}

function Detail({ version }: { readonly version: Schemas['RfmVersion'] }) {
  const w = useWords(foundationWords);
  const { embeddings } = useWords(pageNames);
  const format = useFormat();
  const client = useClient();
  const block = useBlock('download_files');
  const report = readReport(version.report);
  const save = useChange(async () =>
    saveAs(
      `${version.entity}-rfm-${version.number}.zip`,
      await (await client.rfmVersions.export(version.id)).blob(),
      'application/zip',
    ),
  );
  const whole = (value: number | null) => value !== null && format.integer(value);
  return (
    <div className="flex flex-col gap-5">
      <Facts
        columns={2}
        of={[
          ['id', <Id key="id" id={version.id} />],
          [w.made, <Moment key="made" at={version.created_at} isExact />],
          [
            w.run,
            <Link
              key="run"
              to="/training-runs/$run_id"
              params={{ run_id: version.training_run_id }}
              className="text-accent underline underline-offset-2"
            >
              {version.training_run_id.slice(-6)}
            </Link>,
          ],
          [w.with, version.gfm_version_id ? <Id key="gfm" id={version.gfm_version_id} /> : w.withNone],
          version.parent_id !== null && [w.parent, <Id key="parent" id={version.parent_id} />],
          report.until !== null && [w.until, format.day(report.until)],
          [w.inputs, whole(report.inputs)],
          [w.pairs, whole(report.pairs)],
          [w.steps, whole(report.steps)],
          [w.width, whole(report.width)],
        ]}
      />
      {report.heads.length > 0 && <Heads heads={report.heads} after={report.validatedAfter} />}
      {report.relativeLoss.length > 0 && (
        <section>
          <h3 className="font-semibold text-section">{w.relativeLoss}</h3>
          <p className="mb-2 text-ink2 text-meta">{w.relativeLossBody}</p>
          <ul className="flex flex-col gap-1">
            {report.relativeLoss.map(([length, loss]) => (
              <li key={length} className="grid grid-cols-[48px_minmax(0,1fr)_56px] items-center gap-3 text-body">
                <span className="text-right">{length}</span>
                <span className="block h-1.5 rounded-full bg-sunken" aria-hidden="true">
                  <span
                    className="block h-full rounded-full bg-accent"
                    style={{ width: `${100 * Math.min(1, Math.max(0, loss))}%` }}
                  />
                </span>
                <span className="text-right">{format.percent(loss)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <p className="mb-2 text-ink2 text-meta">{w.exportBody}</p>
        <div className="flex flex-wrap gap-2">
          <Button isBusy={save.isPending} blocked={block} onClick={() => save.mutate(undefined)}>
            {w.export}
          </Button>
          <Link to="/embeddings" search={{ entity: version.entity }} className={buttonClass()}>
            {embeddings}
          </Link>
          <CodeButton
            request={{
              method: 'GET',
              path: `/v1/api/rfm-versions/${version.id}`,
              typescript: `lastro.rfmVersions.get('${version.id}')`,
            }}
          />
        </div>
      </section>
    </div>
  );
}

function Heads({ heads, after }: { readonly heads: readonly Head[]; readonly after: string | null }) {
  const w = useWords(foundationWords);
  const format = useFormat();
  const columns: readonly Column<Head>[] = [
    {
      key: 'target',
      head: w.predicts,
      width: 'minmax(120px, 1fr)',
      cell: ({ target }) => (
        <code className="font-mono text-meta" title={target}>
          {target}
        </code>
      ),
    },
    { key: 'days', head: w.days, width: '52px', isRight: true, cell: ({ days }) => format.integer(days) },
    {
      key: 'auroc',
      head: w.auroc,
      width: '68px',
      isRight: true,
      cell: ({ auroc }) => auroc !== null && format.number(auroc),
    },
    {
      key: 'better',
      head: <abbr title={w.better}>Δ</abbr>,
      width: '76px',
      isRight: true,
      cell: ({ better }) => better !== null && format.percent(better),
    },
  ];
  return (
    <section>
      <h3 className="font-semibold text-section">{w.report}</h3>
      <p className="mb-2 text-ink2 text-meta">
        {after !== null && w.reportBody(format.day(after))} Δ: {w.better}.
      </p>
      <Table
        label={w.report}
        columns={columns}
        rows={heads}
        keyOf={({ target, days }) => `${target} ${days}`}
        height="max-h-[420px]"
      />
    </section>
  );
}
