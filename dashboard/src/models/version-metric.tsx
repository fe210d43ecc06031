import { Hint } from '../kit/button.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { directionOf, figuresOf, intervalOf, mainOf, sayChange, sayMetric } from './figures.ts';
import { metricWords, nameOfMetric } from './metric-names.ts';
import { useVersion, useVersions } from './use-models.ts';
import { ShortVerdict } from './verdict.tsx';
import { modelWords } from './words.ts';

/** The main metric of a version, with its interval on hover. */
export function VersionMetric({ modelId, versionId }: { readonly modelId: string; readonly versionId: string }) {
  const w = useWords(modelWords);
  const m = useWords(metricWords);
  const format = useFormat();
  const { data } = useVersion(modelId, versionId);
  if (!data) return <span className="text-ink3">…</span>;
  const figures = figuresOf(data.metrics);
  const main = mainOf(figures);
  if (!main) return <span className="text-ink3">{w.noMetric}</span>;
  const interval = intervalOf(main.value, main.standardError);
  return (
    <Hint
      text={`${main.name}${interval ? ` · ${w.interval} ${interval.map((end) => sayMetric(end, format)).join(' – ')}` : ''}`}
    >
      <span className="min-w-0">
        <span className="block truncate">
          <span className="font-medium">{sayMetric(main.value, format)}</span>{' '}
          <span className="text-ink3 text-meta">
            {nameOfMetric(m.names, main.metric)}
            {figures.length > 1 && ` · ${main.name}`}
          </span>
        </span>
        <ShortVerdict version={data} />
      </span>
    </Hint>
  );
}

/** How the main metric moved since the version before: better is good news, whichever way the metric counts. */
export function MetricChange({
  modelId,
  versionId,
  beforeId,
}: {
  readonly modelId: string;
  readonly versionId: string;
  readonly beforeId: string | undefined;
}) {
  const format = useFormat();
  const version = useVersion(modelId, versionId);
  const before = useVersion(modelId, beforeId);
  const main = version.data && mainOf(figuresOf(version.data.metrics));
  const earlier = before.data && figuresOf(before.data.metrics).find(({ name }) => name === main?.name);
  if (!main || typeof main.value !== 'number' || typeof earlier?.value !== 'number')
    return <span className="text-ink3">—</span>;
  const change = main.value - earlier.value;
  const isBetter = change * directionOf(main.metric) > 0;
  const isWithinChance =
    main.standardError !== null && earlier.standardError !== null
      ? Math.abs(change) < 1.96 * Math.hypot(main.standardError, earlier.standardError)
      : false;
  return (
    <span className={isWithinChance || change === 0 ? 'text-ink2' : isBetter ? 'text-good' : 'text-bad'}>
      {sayChange(earlier.value, main.value, format)}
    </span>
  );
}

/** The newest version of a model and its main metric, read when the row is seen. */
export function NewestVersion({ modelId, part }: { readonly modelId: string; readonly part: 'number' | 'metric' }) {
  const { data } = useVersions(modelId, 1);
  if (!data) return <span className="text-ink3">…</span>;
  const newest = data[0];
  if (!newest) return <span className="text-ink3">—</span>;
  return part === 'number' ? <>v{newest.number}</> : <VersionMetric modelId={modelId} versionId={newest.id} />;
}
