import { useCallback } from 'react';
import { axis, baseOption } from '../charts/axes.ts';
import { Chart, type Palette } from '../charts/chart.tsx';
import { useFormat } from '../words/format.ts';
import { TwoLegend } from './two-legend.tsx';

/** How many rows each of two versions answered how, side by side. */
export function TwoHistogram({
  bins,
  head,
  names,
  summary,
}: {
  /** `before` is null where there is none to compare with. */
  readonly bins: readonly { readonly name: string; readonly before: number | null; readonly after: number }[];
  /** What `name` says of a bin. */
  readonly head: string;
  /** Of the one before, and of the one after. */
  readonly names: readonly [string, string];
  readonly summary: string;
}) {
  const format = useFormat();
  const [before, after] = names;
  const option = useCallback(
    (palette: Palette) => ({
      ...baseOption(palette),
      xAxis: { type: 'category', data: bins.map(({ name }) => name), ...axis(palette), splitLine: { show: false } },
      yAxis: { type: 'value', minInterval: 1, ...axis(palette, (value: number) => format.compact(value)) },
      series: [
        {
          ...{ type: 'bar', name: before, itemStyle: { color: palette.accent } },
          data: bins.map((bin) => bin.before ?? 0),
        },
        {
          ...{ type: 'bar', name: after, itemStyle: { color: palette.challenger } },
          data: bins.map((bin) => bin.after),
        },
      ],
    }),
    [bins, before, after, format],
  );
  return (
    <>
      <TwoLegend names={names} />
      <Chart
        option={option}
        summary={summary}
        table={{
          head: [head, before, after],
          rows: bins.map((bin) => [
            bin.name,
            bin.before === null ? '—' : format.integer(bin.before),
            format.integer(bin.after),
          ]),
        }}
      />
    </>
  );
}
