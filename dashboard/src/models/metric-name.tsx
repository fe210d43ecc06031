import { Hint } from '../kit/button.tsx';
import { useWords } from '../words/words.ts';
import { metricWords, nameOfMetric } from './metric-names.ts';

/** What a metric tells, in a sentence; undefined of one that the page does not know. */
function useAboutMetric(): (metric: string | null) => string | undefined {
  const { about } = useWords(metricWords);
  return (metric) => (metric === null ? undefined : (about as Readonly<Record<string, string>>)[metric]);
}

/** The name of a metric, which says on hover what it tells. */
export function MetricName({ of: metric }: { readonly of: string | null }) {
  const { names } = useWords(metricWords);
  const about = useAboutMetric()(metric);
  const name = nameOfMetric(names, metric);
  if (about === undefined) return name;
  return (
    <Hint text={about}>
      <span className="cursor-help underline decoration-dotted underline-offset-2">{name}</span>
    </Hint>
  );
}

/** What the metrics of a table tell, a line for each: where there is room, so that nobody has to hover. */
export function MetricNotes({ of: metrics }: { readonly of: Iterable<string | null> }) {
  const { names } = useWords(metricWords);
  const aboutOf = useAboutMetric();
  return [...new Set(metrics)].map((metric) => {
    const about = aboutOf(metric);
    return (
      about !== undefined && (
        <p key={metric} className="mt-2 text-ink2 text-meta">
          {nameOfMetric(names, metric)}: {about}
        </p>
      )
    );
  });
}
