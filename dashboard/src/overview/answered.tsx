import type { Schemas } from '@lastro/sdk';
import { Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { axis, baseOption } from '../charts/axes.ts';
import { Chart, type Palette } from '../charts/chart.tsx';
import { Band, bands } from '../kit/bands.tsx';
import { dayIn } from '../kit/day.ts';
import { Failed, Skeleton } from '../kit/states.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { compareWeeks, type Weeks } from './weeks.ts';
import { overviewWords } from './words.ts';

type Bucket = Schemas['PredictionBucket'];

const dayMs = 24 * 60 * 60_000;
const refreshMs = 30_000;

/** What was answered: a sentence of what changed, the mix of bands by day, and how fast. */
export function Answered() {
  const w = useWords(overviewWords);
  const format = useFormat();
  const client = useClient();
  const [since] = useState(() => new Date(Date.now() - 7 * dayMs).toISOString());
  const days = useData(
    ['predictions', 'statistics', 'days'],
    (signal) => client.predictions.getStatistics({}, { signal }),
    { everyMs: () => refreshMs },
  );
  // Without a single prediction the quickstart says all there is to say.
  const isNone = !days.data?.data.some(({ predictions }) => predictions > 0);
  const week = useData(
    ['predictions', 'statistics', 'week'],
    (signal) => client.predictions.getStatistics({ bucket: 'all', from: since }, { signal }),
    { isOn: !isNone, everyMs: () => refreshMs },
  );
  if (days.error) return <Failed error={days.error} onRetry={() => days.refetch()} />;
  if (!days.data) return <Skeleton rows={8} />;
  const buckets = days.data.data;
  if (isNone) return null;
  const latency = week.data?.data[0]?.latency_ms;
  return (
    <section aria-label={w.answered} className="mb-2">
      <p className="max-w-3xl pb-3 text-title">{sentenceOf(compareWeeks(buckets), w, format)}</p>
      <BandsByDay buckets={buckets} timeZone={days.data.time_zone} />
      <p className="mt-1 flex flex-wrap justify-between gap-2 text-ink2">
        <span>{latency && w.latency(format.duration(latency.p50), format.duration(latency.p99))}</span>
        <Link to="/predictions" className="rounded text-accent underline underline-offset-2">
          {w.toPredictions}
        </Link>
      </p>
    </section>
  );
}

type Words = (typeof overviewWords)['en'];

/** What changed from one week to the next. A share that moves by less than a hundredth stays. */
function sentenceOf({ now, before, badNow, badBefore }: Weeks, w: Words, format: ReturnType<typeof useFormat>): string {
  if (now === 0) return `${w.weekNone}.`;
  const count = now === 1 ? w.weekOne : w.week(format.integer(now));
  const change = before === 0 ? null : now / before - 1;
  const compared =
    change === null
      ? w.firstWeek
      : Math.abs(change) < 0.005
        ? w.asMany
        : (change > 0 ? w.more : w.fewer)(format.percent(Math.abs(change)));
  return `${count}${compared}.${badOf(badNow, badBefore, w, format)}`;
}

function badOf(now: number | null, before: number | null, w: Words, format: ReturnType<typeof useFormat>): string {
  if (now === null) return '';
  const said = format.percent(now);
  if (before === null) return w.badIs(said);
  if (Math.abs(now - before) < 0.01) return w.badStays(said);
  return (now > before ? w.badRose : w.badFell)(said, format.percent(before));
}

/** Predictions of each day, stacked by band from the worst at the foot to the best where they have bands. */
function BandsByDay({ buckets, timeZone }: { readonly buckets: readonly Bucket[]; readonly timeZone: string }) {
  const w = useWords(overviewWords);
  const c = useWords(common);
  const format = useFormat();
  const worstFirst = [...bands].reverse();
  const countOf = ({ bands: counted }: Bucket, name: string) =>
    counted.find(({ band }) => band === name)?.predictions ?? 0;
  const unbanded = ({ bands: counted, predictions }: Bucket) =>
    predictions - counted.reduce((sum, one) => sum + (one.band ? one.predictions : 0), 0);
  const hasUnbanded = buckets.some((bucket) => unbanded(bucket) > 0);
  // Only scores have bands: without any, days are one bar each.
  const isBanded = buckets.some(({ bands: counted }) => counted.some(({ band }) => band !== null));
  const total = buckets.reduce((sum, { predictions }) => sum + predictions, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: made anew with its numbers and words
  const option = useCallback(
    (palette: Palette) => {
      const colors = [...palette.bands].reverse();
      const bar = (name: string, color: string, data: readonly number[]) => ({
        ...{ name, type: 'bar', stack: 'all', color, data, barCategoryGap: '22%' },
        itemStyle: { borderColor: palette.panel, borderWidth: 0.5 },
      });
      return {
        ...baseOption(palette),
        grid: { left: 0, right: 0, top: 8, bottom: 6, containLabel: true },
        xAxis: {
          ...{ type: 'category', data: buckets.map(({ start }) => format.shortDay(dayIn(timeZone, start))) },
          ...axis(palette),
        },
        yAxis: { type: 'value', minInterval: 1, ...axis(palette, ((value: number) => format.compact(value)) as never) },
        series: !isBanded
          ? [bar(w.predictions, palette.accent, buckets.map(unbanded))]
          : [
              ...worstFirst.map(({ name, key }, at) =>
                bar(
                  c.bands[key],
                  colors[at],
                  buckets.map((bucket) => countOf(bucket, name)),
                ),
              ),
              ...(hasUnbanded ? [bar(w.noBand, palette.ink3, buckets.map(unbanded))] : []),
            ],
      };
    },
    [buckets, timeZone, format, c, w],
  );
  return (
    <>
      {isBanded && (
        <ul className="mb-1 flex flex-wrap gap-x-4 gap-y-1 text-ink2 text-meta">
          {bands.map(({ name }) => (
            <li key={name}>
              <Band name={name} />
            </li>
          ))}
          {hasUnbanded && (
            <li className="inline-flex items-center gap-1.5">
              <span className="h-3 w-1 rounded-[1px] bg-ink3" aria-hidden="true" />
              {w.noBand}
            </li>
          )}
        </ul>
      )}
      <Chart
        height={240}
        option={option}
        summary={(isBanded ? w.chart : w.chartOfDays)(format.integer(buckets.length), format.integer(total))}
        table={{
          head: [w.day, ...(isBanded ? [...worstFirst.map(({ key }) => c.bands[key]), w.noBand] : [w.predictions])],
          rows: buckets.map((bucket) => [
            format.day(dayIn(timeZone, bucket.start)),
            ...(isBanded ? worstFirst.map(({ name }) => format.integer(countOf(bucket, name))) : []),
            format.integer(unbanded(bucket)),
          ]),
        }}
      />
    </>
  );
}
