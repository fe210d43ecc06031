import { Hint } from '../kit/button.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { directionOf, figuresOf, intervalOf, mainOf, sayChange, sayMetric } from './figures.ts';
import { metricWords, nameOfMetric } from './metric-names.ts';
import { type Model, useVersion, useVersions } from './use-models.ts';
import { ShortVerdict } from './verdict.tsx';
import { WarningCount } from './warning-count.tsx';
import { modelWords } from './words.ts';

/** The main metric of a version, with its interval on hover. `isNamed`: behind the number of the version. */
export function VersionMetric({
  modelId,
  versionId,
  isNamed = false,
}: {
  readonly modelId: string;
  readonly versionId: string;
  readonly isNamed?: boolean;
}) {
  const w = useWords(modelWords);
  const m = useWords(metricWords);
  const format = useFormat();
  const { data } = useVersion(modelId, versionId);
  if (!data) return <span className="text-ink3">…</span>;
  const figures = figuresOf(data.metrics);
  const main = mainOf(figures);
  if (!main) return <span className="text-ink3">{w.noMetric}</span>;
  const interval = intervalOf(main.value, main.standardError);
  const about = (m.about as Readonly<Record<string, string>>)[main.metric ?? ''];
  const said = interval && `${w.interval} ${interval.map((end) => sayMetric(end, format)).join(' – ')}`;
  return (
    <Hint text={[main.name, said, about].filter(Boolean).join(' · ')}>
      <span className="min-w-0">
        <span className="block truncate">
          {isNamed && `v${data.number}: `}
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

/** The main metric of the version by which a model is judged in lists, read when the row is seen. */
export function ModelMetric({ model }: { readonly model: Model }) {
  const versionId = useJudgedVersion(model);
  if (!versionId) return <span className="text-ink3">{versionId === null ? '—' : '…'}</span>;
  return <VersionMetric modelId={model.id} versionId={versionId} isNamed />;
}

/** What that version's page warns of. */
export function ModelWarnings({ model }: { readonly model: Model }) {
  const versionId = useJudgedVersion(model);
  if (!versionId) return <span className="text-ink3">{versionId === null ? '—' : '…'}</span>;
  return <WarningCount modelId={model.id} versionId={versionId} />;
}

/** The version behind production, or else the newest: null where there is none, undefined until it is known. */
function useJudgedVersion({ id, aliases }: Model): string | null | undefined {
  const production = aliases.find(({ alias }) => alias === 'production')?.version_id;
  const { data } = useVersions(production === undefined ? id : undefined, 1);
  return production ?? (data && (data[0]?.id ?? null));
}

export function NewestNumber({ modelId }: { readonly modelId: string }) {
  const { data } = useVersions(modelId, 1);
  if (!data) return <span className="text-ink3">…</span>;
  return data[0] ? <>v{data[0].number}</> : <span className="text-ink3">—</span>;
}

export function VersionNumber({ modelId, versionId }: { readonly modelId: string; readonly versionId: string }) {
  const { data } = useVersion(modelId, versionId);
  return data ? <>v{data.number}</> : <>…</>;
}
