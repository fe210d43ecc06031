import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { phaseOf } from '../data/report.ts';
import { Section } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { Progress, Status } from '../kit/status.tsx';
import { useModelNames } from '../models/use-models.ts';
import { sayPhase } from '../training-runs/phases.ts';
import { runWords } from '../training-runs/words.ts';
import { useFormat } from '../words/format.ts';
import { noSooner } from '../words/no-sooner.ts';
import { sayWait, waitWords } from '../words/waits.ts';
import { useWords } from '../words/words.ts';
import { overviewWords } from './words.ts';

type Work = {
  readonly id: string;
  readonly kind: 'ingestion' | 'run' | 'batch' | 'evaluation';
  readonly modelId: string | null;
  /** Of a run without a model: the table whose encoder it makes. */
  readonly table?: string | null;
  readonly status: string;
  /** Of 0 to 1; null where nobody knows. */
  readonly share: number | null;
  readonly note: string;
  readonly eta: string | null;
};

const runningMs = 2_000;
const quietMs = 15_000;
const looked = { limit: 20 } as const;
const isOpen = ({ status }: { readonly status: string }): boolean => status === 'queued' || status === 'running';

/** Ingestions, training runs, evaluations and batches under way, with how far they are. */
export function Running({ onProgress }: { onProgress(share: number | null): void }) {
  const w = useWords(overviewWords);
  const format = useFormat();
  const { data, error, refetch } = useWork();
  const models = useModelNames();
  const share = data?.find(({ status }) => status === 'running')?.share ?? null;
  useEffect(() => onProgress(share), [share, onProgress]);
  return (
    <Section title={w.running}>
      {error ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton rows={2} />
      ) : data.length === 0 ? (
        <p className="text-ink2">{w.quiet}</p>
      ) : (
        <ul className="divide-y divide-line border-line border-y">
          {data.map(({ id, kind, modelId, table, status, share: part, note, eta }) => {
            const model = (modelId && models.get(modelId)) || table;
            const name = kind === 'run' ? (model ? w.run(model) : w.aRun) : w[kind];
            return (
              <li key={id} className="py-2">
                <div className="mb-1 flex items-baseline justify-between gap-3">
                  <Link {...linkOf(kind, id)} className="min-w-0 truncate rounded font-medium hover:underline">
                    {name}
                  </Link>
                  <span className="flex shrink-0 items-baseline gap-3 text-meta">
                    {part !== null && status === 'running' && <span>{format.percent(part)}</span>}
                    <Status of={status} />
                  </span>
                </div>
                {status === 'running' && <Progress share={part} label={name} />}
                <p className="mt-0.5 truncate text-ink3 text-meta">
                  {[note, eta && w.until(format.relative(noSooner(eta)))].filter(Boolean).join(' · ')}
                </p>
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}

function useWork() {
  const w = useWords(overviewWords);
  const r = useWords(runWords);
  const waiting = useWords(waitWords);
  const format = useFormat();
  const { client, can } = useSession();
  const [models, batches] = [can('view_models'), can('view_batches')];
  return useData(
    ['running', format.language],
    async (signal): Promise<readonly Work[]> => {
      const options = { signal };
      const [runs, ingestions, evaluations, scored] = await Promise.all([
        models ? client.trainingRuns.list(looked, options) : null,
        models ? client.ingestions.list(looked, options) : null,
        models ? client.evaluations.list(looked, options) : null,
        batches ? client.batches.list(looked, options) : null,
      ]);
      const base = { modelId: null, share: null, note: '', eta: null } as const;
      return [
        ...(ingestions?.data ?? [])
          .filter(isOpen)
          .map(({ id, status, progress, waits_for: cause, ingestions_before: before }) => ({
            ...{ ...base, id, kind: 'ingestion' as const, status },
            note: sayWait(waiting, 'ingestions', cause, before) ?? phaseOf({ progress }, format) ?? '',
          })),
        ...(runs?.data ?? [])
          .filter(isOpen)
          .map(
            ({
              id,
              status,
              model_id: modelId,
              entity,
              fraction,
              phase,
              eta,
              waits_for: cause,
              runs_before: before,
            }) => ({
              ...{ id, kind: 'run' as const, modelId, table: entity, status, share: fraction, eta },
              note: sayWait(waiting, 'runs', cause, before) ?? (phase === null ? '' : sayPhase(phase, r, format)),
            }),
          ),
        ...(evaluations?.data ?? []).filter(isOpen).map(({ id, status }) => ({
          ...{ ...base, id, kind: 'evaluation' as const, status },
        })),
        ...(scored?.data ?? [])
          .filter(isOpen)
          .map(({ id, status, progress: { rows, fraction, eta }, waits_for: cause, batches_before: before }) => ({
            ...{ ...base, id, kind: 'batch' as const, status, share: fraction, eta },
            note:
              sayWait(waiting, 'batches', cause, before) ??
              w.rows(format.integer(rows.processed), format.integer(rows.total ?? rows.processed)),
          })),
      ];
    },
    { everyMs: (work) => (work?.some(isOpen) ? runningMs : quietMs) },
  );
}

function linkOf(kind: Work['kind'], id: string): Pick<LinkProps, 'to' | 'params'> {
  switch (kind) {
    case 'ingestion':
      return { to: '/data/ingestions/$ingestion_id', params: { ingestion_id: id } as never };
    case 'run':
      return { to: '/training-runs/$run_id', params: { run_id: id } as never };
    case 'batch':
      return { to: '/batches/$batch_id', params: { batch_id: id } as never };
    case 'evaluation':
      return { to: '/evaluations/$evaluation_id', params: { evaluation_id: id } as never };
  }
}
