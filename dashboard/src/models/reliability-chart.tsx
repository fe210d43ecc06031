import type { Schemas } from '@lastro/sdk';
import { useCallback } from 'react';
import { axis, baseOption } from '../charts/axes.ts';
import { Chart, type Palette } from '../charts/chart.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { versionWords } from './version-words.ts';

export type ReliabilityRow = Schemas['EvaluationReliability'];
export type ReliabilityLine = {
  readonly name: string;
  readonly rows: readonly ReliabilityRow[];
  readonly color: 'accent' | 'challenger';
};

/** What probabilities said against how often it came, with the 95 % interval of each group of rows. */
export function ReliabilityChart({
  lines,
  error,
}: {
  readonly lines: readonly ReliabilityLine[];
  /** The calibration error, where it is known. */
  readonly error: number | null;
}) {
  const w = useWords(versionWords);
  const format = useFormat();
  const option = useCallback(
    (palette: Palette) => {
      const highest = Math.max(
        ...lines.flatMap(({ rows }) => rows.flatMap((row) => [row.mean_predicted, row.observed_high])),
      );
      const step = highest < 0.05 ? 0.01 : highest < 0.3 ? 0.05 : 0.1;
      const end = Math.min(1, Math.ceil(highest / step) * step);
      const percent = (value: number) => format.percent(value);
      return {
        ...baseOption(palette),
        tooltip: { ...baseOption(palette).tooltip, trigger: 'item' },
        xAxis: {
          type: 'value',
          name: w.said,
          nameLocation: 'middle',
          nameGap: 26,
          min: 0,
          max: end,
          ...axis(palette, percent),
        },
        yAxis: { type: 'value', name: w.came, min: 0, max: end, ...axis(palette, percent) },
        grid: { left: 8, right: 16, top: 28, bottom: 24, containLabel: true },
        series: [
          {
            type: 'line',
            name: w.perfect,
            silent: true,
            symbol: 'none',
            lineStyle: { color: palette.line, type: 'dashed', width: 1.5 },
            data: [
              [0, 0],
              [end, end],
            ],
          },
          ...lines.flatMap(({ name, rows, color }) => [
            {
              type: 'line',
              name,
              silent: true,
              symbol: 'none',
              lineStyle: { color: palette[color], width: 1, opacity: 0.55 },
              data: rows.flatMap((row) => [
                [row.mean_predicted, row.observed_low],
                [row.mean_predicted, row.observed_high],
                ['-', '-'],
              ]),
            },
            {
              type: 'line',
              name,
              symbol: color === 'challenger' ? 'rect' : 'circle',
              symbolSize: 8,
              lineStyle: { color: palette[color], width: 1.5 },
              itemStyle: { color: palette[color] },
              data: rows.map((row) => [row.mean_predicted, row.observed]),
              tooltip: {
                formatter: ({ dataIndex }: { dataIndex: number }) => {
                  const row = rows[dataIndex];
                  return [
                    `${w.said} ${format.percent(row.mean_predicted)}`,
                    `${w.came} ${format.percent(row.observed)} (${format.percent(row.observed_low)} – ${format.percent(row.observed_high)})`,
                    `${w.rowsIn} ${format.integer(row.rows)}`,
                  ].join('<br>');
                },
              },
            },
          ]),
        ],
      };
    },
    [lines, w, format],
  );
  const isOne = lines.length === 1;
  return (
    <Chart
      option={option}
      height={300}
      summary={w.reliabilitySummary(
        format.integer(lines[0]?.rows.length ?? 0),
        error === null ? '—' : format.percent(error),
      )}
      table={{
        head: [...(isOne ? [] : [w.output]), w.said, w.came, w.interval, w.rowsIn],
        rows: lines.flatMap(({ name, rows }) =>
          rows.map((row) => [
            ...(isOne ? [] : [name]),
            format.percent(row.mean_predicted),
            format.percent(row.observed),
            `${format.percent(row.observed_low)} – ${format.percent(row.observed_high)}`,
            format.integer(row.rows),
          ]),
        ),
      }}
    />
  );
}
