import { Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { axis, baseOption } from '../charts/axes.ts';
import { Chart, type Palette } from '../charts/chart.tsx';
import { buttonClass } from '../kit/button.tsx';
import { dayIn } from '../kit/day.ts';
import { Section } from '../kit/page.tsx';
import { Empty, Failed, NoPermission, Skeleton } from '../kit/states.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { Model, Version } from './use-models.ts';
import { versionWords } from './version-words.ts';

const shownMs = 30 * 24 * 60 * 60_000;

/** How much a version answered, day after day. */
export function UsageTab({ model, version }: { readonly model: Model; readonly version: Version }) {
  const w = useWords(versionWords);
  const format = useFormat();
  const client = useClient();
  const { has } = useSession();
  const isAllowed = has('invoke_predictions');
  const [from] = useState(() => new Date(Date.now() - shownMs).toISOString());
  const { data, error, refetch } = useData(
    ['predictions', 'statistics', 'of-version', version.id],
    (signal) => client.predictions.getStatistics({ bucket: 'day', version_id: version.id, from }, { signal }),
    { isOn: isAllowed },
  );
  const days = data?.data;
  const dayOf = useCallback((start: string) => format.day(dayIn(data?.time_zone ?? 'UTC', start)), [data, format]);
  const option = useCallback(
    (palette: Palette) => ({
      ...baseOption(palette),
      xAxis: {
        type: 'category',
        data: days?.map(({ start }) => dayOf(start)),
        ...axis(palette),
        splitLine: { show: false },
      },
      yAxis: { type: 'value', minInterval: 1, ...axis(palette, (value: number) => format.compact(value)) },
      series: [
        {
          type: 'bar',
          name: w.predictions,
          data: days?.map(({ predictions }) => predictions),
          itemStyle: { color: palette.accent },
          barMaxWidth: 18,
        },
      ],
    }),
    [days, dayOf, format, w],
  );
  if (!isAllowed) return <NoPermission permission="invoke_predictions" />;
  if (error) return <Failed error={error} onRetry={refetch} />;
  if (!days) return <Skeleton />;
  const total = days.reduce((sum, { predictions }) => sum + predictions, 0);
  if (total === 0) return <Empty title={w.noUsage} />;
  return (
    <Section
      title={w.usage}
      className="!mt-0"
      actions={
        <Link to="/predictions" search={{ model: model.id }} className={buttonClass()}>
          {w.seePredictions}
        </Link>
      }
    >
      <Chart
        option={option}
        summary={w.usageSummary(format.integer(total))}
        table={{
          head: [w.day, w.predictions, w.p50, w.p95],
          rows: days
            .filter(({ predictions }) => predictions > 0)
            .map(({ start, predictions, latency_ms: latency }) => [
              dayOf(start),
              format.integer(predictions),
              latency ? format.duration(latency.p50) : '—',
              latency ? format.duration(latency.p95) : '—',
            ]),
        }}
      />
    </Section>
  );
}
