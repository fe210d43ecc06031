import { AliasTag } from '../kit/status.tsx';
import { figuresOf, mainOf, sayMetric } from '../models/figures.ts';
import { MetricName } from '../models/metric-name.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { aliasOf, isUnderWay, type Run } from './use-runs.ts';
import { runWords } from './words.ts';

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

/** The alias that a run has moved; while it is under way in words, as nothing has moved yet. */
export function RunAlias({ of }: { readonly of: Pick<Run, 'alias' | 'status' | 'warnings'> }) {
  const w = useWords(runWords);
  const alias = aliasOf(of);
  if (alias === null) return null;
  if (isUnderWay(of)) return <span className="text-ink2 text-meta">{w.aliasWhenDone(alias)}</span>;
  return <AliasTag alias={alias} />;
}
