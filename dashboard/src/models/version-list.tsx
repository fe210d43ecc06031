import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Moment } from '../kit/moment.tsx';
import { AliasTag, Status, Tag } from '../kit/status.tsx';
import { say } from '../kit/toast.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { type Model, useVersion, type VersionSummary } from './use-models.ts';
import { MetricChange, VersionMetric } from './version-metric.tsx';
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
          cell: ({ number, id }) => (
            <Link
              to="/models/$model_id/versions/$version_id"
              params={{ model_id: model.id, version_id: id }}
              className="font-medium text-accent underline underline-offset-2"
            >
              v{number}
            </Link>
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
          cell: ({ id }) => <Warnings modelId={model.id} versionId={id} />,
        },
        { key: 'created', head: c.created, isMinor: true, cell: ({ created_at: at }) => <Moment at={at} /> },
        {
          key: 'act',
          head: <span className="sr-only">{c.more}</span>,
          isRight: true,
          cell: (version) => can('manage_aliases') && <Activation modelId={model.id} version={version} />,
        },
      ]}
    />
  );
}

function Warnings({ modelId, versionId }: { readonly modelId: string; readonly versionId: string }) {
  const { data } = useVersion(modelId, versionId);
  if (!data || data.warnings.length === 0) return <span className="text-ink3">—</span>;
  return <Tag tone="warn">{data.warnings.length}</Tag>;
}

/** Lets a version answer, or answer no more. */
export function Activation({ modelId, version }: { readonly modelId: string; readonly version: VersionSummary }) {
  const w = useWords(modelWords);
  const client = useClient();
  const [isAsked, setAsked] = useState(false);
  const activate = useChange<void, unknown>(() => client.models.versions.activate(modelId, version.id), {
    changes: [['models']],
  });
  const deactivate = useChange<void, unknown>(() => client.models.versions.deactivate(modelId, version.id), {
    changes: [['models']],
    isQuiet: true,
  });
  const label = `v${version.number}`;
  if (version.status === 'inactive')
    return (
      <Button
        size="small"
        isBusy={activate.isPending}
        aria-label={`${w.activate} ${label}`}
        onClick={async () => {
          await activate.mutateAsync();
          say(w.activated(version.number));
        }}
      >
        {w.activate}
      </Button>
    );
  if (version.status !== 'active') return null;
  const needs = version.aliases.length > 0 ? `${version.id}-needs` : undefined;
  return (
    <div className="inline-flex flex-col items-end">
      <Button
        size="small"
        kind="quiet"
        disabled={needs !== undefined}
        aria-label={`${w.deactivate} ${label}`}
        aria-describedby={needs}
        onClick={() => setAsked(true)}
      >
        {w.deactivate}
      </Button>
      {needs && (
        <span id={needs} className="px-2 text-ink3 text-meta leading-4">
          {w.deleteVersionNeeds}
        </span>
      )}
      <Confirm
        title={w.deactivateTitle(version.number)}
        body={w.deactivateBody}
        action={w.deactivate}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          await deactivate.mutateAsync();
          say(w.deactivated(version.number));
        }}
      />
    </div>
  );
}
