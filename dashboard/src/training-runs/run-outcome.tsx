import { AliasTag } from '../kit/status.tsx';
import { figuresOf, mainOf, sayMetric } from '../models/figures.ts';
import { MetricName } from '../models/metric-name.tsx';
import { useFormat } from '../words/format.ts';
import { aliasOf, type Run } from './use-runs.ts';

/** What came of a run that has ended: the version that it made, and how good that is in one number. */
export function RunOutcome({ run }: { readonly run: Run }) {
  const format = useFormat();
  if (run.status !== 'succeeded') return <span className="text-ink3">—</span>;
  const main = mainOf(figuresOf(run.metrics));
  const number = run.version_number !== null && `v${run.version_number}`;
  if (!main) return <>{number || '—'}</>;
  return (
    <span title={main.name}>
      {number && `${number}: `}
      <span className="font-medium">{sayMetric(main.value, format)}</span>{' '}
      <span className="text-ink3 text-meta">
        <MetricName of={main.metric} />
      </span>
    </span>
  );
}

/** The alias that a run has moved, or will. */
export function RunAlias({ of }: { readonly of: Pick<Run, 'alias' | 'status' | 'warnings'> }) {
  const alias = aliasOf(of);
  return alias && <AliasTag alias={alias} />;
}
