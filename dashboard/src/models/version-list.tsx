import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Moment } from '../kit/moment.tsx';
import { AliasTag, Status } from '../kit/status.tsx';
import { Creator, Origin } from '../training-runs/origin.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { Activation } from './activation.tsx';
import type { Model, VersionSummary } from './use-models.ts';
import { MetricChange, VersionMetric } from './version-metric.tsx';
import { WarningCount } from './warning-count.tsx';
import { modelWords } from './words.ts';

/** The versions of a model, with what each is worth. */
export function VersionList({ model, rows }: { readonly model: Model; readonly rows: readonly VersionSummary[] }) {
  const w = useWords(modelWords);
  const c = useWords(common);
  const { can } = useSession();
  return (
    <Ledger
      label={w.versions}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          key: 'number',
          head: w.version,
          cell: (version, at) => (
            <>
              <Link
                to="/models/$model_id/versions/$version_id"
                params={{ model_id: model.id, version_id: version.id }}
                className="font-medium text-accent underline underline-offset-2"
              >
                v{version.number}
              </Link>
              <span className="block min-w-32 max-w-64 text-ink2 text-meta">
                <Origin of={version} before={rows[at + 1]} />
              </span>
            </>
          ),
        },
        { key: 'status', head: c.status, cell: ({ status }) => <Status of={status} /> },
        {
          key: 'aliases',
          head: w.aliases,
          isMinor: true,
          cell: ({ aliases }) => (
            <span className="inline-flex flex-wrap gap-1">
              {aliases.map((alias) => (
                <AliasTag key={alias} alias={alias} />
              ))}
            </span>
          ),
        },
        { key: 'metric', head: w.metric, cell: ({ id }) => <VersionMetric modelId={model.id} versionId={id} /> },
        {
          key: 'change',
          head: w.change,
          isRight: true,
          isMinor: true,
          cell: ({ id }, at) => <MetricChange modelId={model.id} versionId={id} beforeId={rows[at + 1]?.id} />,
        },
        {
          key: 'warnings',
          head: w.warnings,
          isMinor: true,
          cell: ({ id }) => <WarningCount modelId={model.id} versionId={id} />,
        },
        {
          key: 'created',
          head: c.created,
          isMinor: true,
          cell: ({ created_at: at, created_by: creator }) => (
            <>
              <Moment at={at} isExact />
              <span className="block text-ink2 text-meta">
                <Creator of={creator} />
              </span>
            </>
          ),
        },
        {
          key: 'act',
          head: <span className="sr-only">{c.more}</span>,
          isRight: true,
          cell: (version) => can('manage_aliases') && <Activation modelId={model.id} version={version} size="small" />,
        },
      ]}
    />
  );
}
