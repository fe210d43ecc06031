import type { Schemas } from '@lastro/sdk';
import { useCallback } from 'react';
import { axis, baseOption } from '../charts/axes.ts';
import { Chart, type Palette } from '../charts/chart.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { comparedWords } from './compared-words.ts';
import { TwoLegend } from './two-legend.tsx';

type Part = Pick<Schemas['BacktestPart'], 'name' | 'observed'> & {
  readonly mean: { readonly before: number | null; readonly after: number | null } | null;
};

/** What two versions answered on average, or were worth, month by month, and what came of it where that is known. */
export function MonthsChart({
  months,
  names,
  say,
  summary,
}: {
  /** Each with a mean, or what else of both there is. */
  readonly months: readonly Part[];
  readonly names: readonly [before: string, after: string];
  say(value: number): string;
  /** Where it is not what both answered on average. */
  readonly summary?: string;
}) {
  const w = useWords(comparedWords);
  const format = useFormat();
  const [before, after] = names;
  const isKnown = months.some(({ observed }) => observed !== null);
  const option = useCallback(
    (palette: Palette) => {
      const base = baseOption(palette);
      const line = { type: 'line', symbolSize: 6 };
      return {
        ...{ ...base, tooltip: { ...base.tooltip, valueFormatter: (value: number | null) => sayOr(say, value) } },
        xAxis: {
          ...{ type: 'category', data: months.map(({ name }) => format.month(`${name}-01`)) },
          ...{ ...axis(palette), splitLine: { show: false } },
        },
        // What both were worth differs by little of what there is from nothing on.
        yAxis: { type: 'value', scale: summary !== undefined, ...axis(palette, say) },
        series: [
          {
            ...{ ...line, name: before, symbol: 'circle', itemStyle: { color: palette.accent } },
            data: months.map(({ mean }) => mean?.before ?? null),
          },
          {
            ...{ ...line, name: after, symbol: 'rect', itemStyle: { color: palette.challenger } },
            data: months.map(({ mean }) => mean?.after ?? null),
          },
          ...(isKnown
            ? [
                {
                  ...{ ...line, name: w.came, symbol: 'diamond', symbolSize: 8, itemStyle: { color: palette.ink2 } },
                  ...{ lineStyle: { type: 'dashed' }, data: months.map(({ observed }) => observed) },
                },
              ]
            : []),
        ],
      };
    },
    [months, before, after, isKnown, summary, say, format, w],
  );
  return (
    <>
      <TwoLegend names={names} />
      <Chart
        option={option}
        summary={summary ?? (isKnown ? w.monthsSummaryKnown : w.monthsSummary)}
        table={{
          head: [w.month, before, after, ...(isKnown ? [w.came] : [])],
          rows: months.map(({ name, mean, observed }) => [
            format.month(`${name}-01`),
            ...[mean?.before, mean?.after, ...(isKnown ? [observed] : [])].map((value) => sayOr(say, value)),
          ]),
        }}
      />
    </>
  );
}

function sayOr(say: (value: number) => string, value: number | null | undefined): string {
  return value == null ? '—' : say(value);
}
