import type { Schemas } from '@lastro/sdk';
import { useCallback } from 'react';
import { axis, baseOption } from '../charts/axes.ts';
import { Chart, type Palette } from '../charts/chart.tsx';
import { bandOfScore, bands } from '../kit/bands.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { versionWords } from './version-words.ts';

export type Bin = Schemas['MetricsBin'];
type Cutoff = Schemas['MetricsCutoff'];

/** How many rows were given which answer. */
export function Histogram({ bins, isProbability }: { readonly bins: readonly Bin[]; readonly isProbability: boolean }) {
  const w = useWords(versionWords);
  const format = useFormat();
  const say = useCallback(
    (value: number) => (isProbability ? format.percent(value) : format.compact(value)),
    [format, isProbability],
  );
  const option = useCallback(
    (palette: Palette) => ({
      ...baseOption(palette),
      xAxis: {
        type: 'category',
        data: bins.map(({ from }) => say(from)),
        ...axis(palette),
        splitLine: { show: false },
      },
      yAxis: { type: 'value', minInterval: 1, ...axis(palette, (value: number) => format.compact(value)) },
      series: [
        {
          type: 'bar',
          name: w.rows,
          data: bins.map(({ rows }) => rows),
          itemStyle: { color: palette.accent },
          barCategoryGap: '8%',
        },
      ],
    }),
    [bins, say, format, w],
  );
  const most = bins.reduce((one, other) => (other.rows > one.rows ? other : one));
  return (
    <Chart
      option={option}
      summary={w.histogramSummary(
        format.integer(bins.reduce((sum, { rows }) => sum + rows, 0)),
        say(most.from),
        say(most.to),
      )}
      table={{
        head: [w.value, w.rows],
        rows: bins.map(({ from, to, rows }) => [`${say(from)} – ${say(to)}`, format.integer(rows)]),
      }}
    />
  );
}

/** The rows of each bin of the score, and how many of them defaulted; null where that cannot be told. */
export function defaultsByScore(bins: readonly Bin[], cutoffs: readonly Cutoff[] | null): readonly number[] | null {
  const total = bins.reduce((sum, { rows }) => sum + rows, 0);
  // What is accepted from a score on, less what is accepted from the next one on, is what lies between.
  const defaultsFrom = (score: number): number | null => {
    if (score >= 1000) return 0;
    const cutoff = cutoffs?.find((one) => one.score === score);
    if (!cutoff) return null;
    return (cutoff.observed_default ?? 0) * cutoff.approval_rate * total;
  };
  const counts = bins.map(({ from, to, rows }) => {
    const [above, below] = [defaultsFrom(to), defaultsFrom(from)];
    return above === null || below === null ? null : Math.min(rows, Math.max(0, Math.round(below - above)));
  });
  return counts.every((count) => count !== null) ? counts : null;
}

/** How scores are spread over the six bands, and which of them defaulted. */
export function ScoreHistogram({
  bins,
  cutoffs,
}: {
  readonly bins: readonly Bin[];
  readonly cutoffs: readonly Cutoff[] | null;
}) {
  const w = useWords(versionWords);
  const format = useFormat();
  const option = useCallback(
    (palette: Palette) => {
      const defaults = defaultsByScore(bins, cutoffs);
      const colorAt = (from: number) =>
        palette.bands[bands.findIndex(({ name }) => name === bandOfScore(from).name)] ?? palette.accent;
      return {
        ...baseOption(palette),
        xAxis: {
          type: 'category',
          data: bins.map(({ from }) => format.integer(from)),
          ...axis(palette),
          splitLine: { show: false },
        },
        yAxis: { type: 'value', minInterval: 1, ...axis(palette, (value: number) => format.compact(value)) },
        series: [
          {
            type: 'bar',
            stack: 'rows',
            name: defaults ? w.paid : w.rows,
            barCategoryGap: '8%',
            data: bins.map(({ from, rows }, at) => ({
              value: rows - (defaults?.[at] ?? 0),
              itemStyle: { color: colorAt(from) },
            })),
          },
          ...(defaults
            ? [
                {
                  type: 'bar',
                  stack: 'rows',
                  name: w.defaulted,
                  data: defaults,
                  itemStyle: { color: palette.ink },
                },
              ]
            : []),
        ],
      };
    },
    [bins, cutoffs, format, w],
  );
  const defaults = defaultsByScore(bins, cutoffs);
  const most = bins.reduce((one, other) => (other.rows > one.rows ? other : one));
  return (
    <Chart
      option={option}
      summary={w.histogramSummary(
        format.integer(bins.reduce((sum, { rows }) => sum + rows, 0)),
        format.integer(most.from),
        format.integer(most.to),
      )}
      table={{
        head: [w.score, w.rows, ...(defaults ? [w.defaulted] : [])],
        rows: bins.map(({ from, to, rows }, at) => [
          `${format.integer(from)} – ${format.integer(to)}`,
          format.integer(rows),
          ...(defaults ? [format.integer(defaults[at])] : []),
        ]),
      }}
    />
  );
}
