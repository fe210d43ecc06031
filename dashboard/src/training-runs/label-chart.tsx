import { useCallback, useMemo } from 'react';
import { axis, baseOption } from '../charts/axes.ts';
import { Chart, type Palette } from '../charts/chart.tsx';
import { useFieldName } from '../models/doubt-words.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { everyMonth, type LabelRate } from './every-month.ts';
import { runWords } from './words.ts';

/** The output whose labels these are, where there are several. Runs of before it was told have none. */
export function labelOutputOf(metrics: unknown): string | undefined {
  const told = metrics as { readonly label_output?: unknown; readonly outputs?: object } | null;
  const isOneOfMany = Object.keys(told?.outputs ?? {}).length > 1;
  return isOneOfMany && typeof told?.label_output === 'string' ? told.label_output : undefined;
}

/** How many labels each month has, and how often, or how much of, what is asked about came. */
export function LabelChart({
  rates,
  output,
}: {
  readonly rates: readonly LabelRate[];
  readonly output: string | undefined;
}) {
  const w = useWords(runWords);
  const nameOf = useFieldName();
  const format = useFormat();
  const months = useMemo(() => everyMonth(rates), [rates]);
  const isRate = rates.every(({ mean }) => mean >= 0 && mean <= 1);
  const option = useCallback(
    (palette: Palette) => {
      const say = (value: number) => (isRate ? format.percent(value) : format.compact(value));
      return {
        ...baseOption(palette),
        grid: { left: 8, right: 8, top: 28, bottom: 4, containLabel: true },
        xAxis: {
          type: 'category',
          data: months.map(({ month }) => format.month(`${month}-01`)),
          ...axis(palette),
          splitLine: { show: false },
        },
        yAxis: [
          { type: 'value', name: w.labelled, ...axis(palette, (value: number) => format.compact(value), 'left') },
          {
            type: 'value',
            name: isRate ? w.rate : w.mean,
            min: 0,
            ...axis(palette, say, 'right'),
            splitLine: { show: false },
          },
        ],
        series: [
          {
            type: 'bar',
            name: w.labelled,
            data: months.map(({ rows }) => rows),
            itemStyle: { color: palette.line },
            barMaxWidth: 28,
          },
          {
            type: 'line',
            name: isRate ? w.rate : w.mean,
            yAxisIndex: 1,
            data: months.map(({ mean }) => mean),
            connectNulls: true,
            symbolSize: 5,
            lineStyle: { color: palette.accent, width: 2 },
            itemStyle: { color: palette.accent },
            tooltip: { valueFormatter: say },
          },
        ],
      };
    },
    [months, isRate, w, format],
  );
  if (rates.length === 0) return null;
  return (
    <>
      {output !== undefined && (
        <p className="mb-2 text-ink2 text-meta">
          {nameOf(output) === output ? w.labelsOfOutput(output) : w.labelsOf(nameOf(output))}
        </p>
      )}
      <p className="mb-2 max-w-3xl text-ink2 text-meta">
        {w.drawn} {months.some(({ rows }) => rows === 0) && w.gaps}
      </p>
      <Chart
        option={option}
        summary={w.labelSummary(
          format.integer(rates.reduce((sum, { rows }) => sum + rows, 0)),
          format.month(`${rates[0].month}-01`),
          format.month(`${rates[rates.length - 1].month}-01`),
        )}
        table={{
          head: [w.month, w.labelled, isRate ? w.rate : w.mean],
          rows: rates.map(({ month, rows, mean }) => [
            format.month(`${month}-01`),
            format.integer(rows),
            isRate ? format.percent(mean) : format.number(mean),
          ]),
        }}
      />
    </>
  );
}
