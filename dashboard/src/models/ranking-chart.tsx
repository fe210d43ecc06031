import type { Schemas } from '@lastro/sdk';
import { useCallback, useState } from 'react';
import { axis, baseOption } from '../charts/axes.ts';
import { Chart, type Palette } from '../charts/chart.tsx';
import { Segmented } from '../kit/field.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { versionWords } from './version-words.ts';

export type Threshold = Schemas['MetricsThreshold'];
export type Gain = Schemas['EvaluationGains'];
type Curve = 'roc' | 'pr' | 'gains';

/** How well an output ranks: as ROC, as precision over recall, or as lift by tenths. */
export function RankingChart({
  thresholds,
  gains,
}: {
  readonly thresholds: readonly Threshold[] | null;
  readonly gains: readonly Gain[] | null;
}) {
  const w = useWords(versionWords);
  const [curve, setCurve] = useState<Curve>(thresholds ? 'roc' : 'gains');
  const options = [
    ...(thresholds
      ? [
          { value: 'roc' as Curve, label: w.roc },
          { value: 'pr' as Curve, label: w.pr },
        ]
      : []),
    ...(gains ? [{ value: 'gains' as Curve, label: w.gains }] : []),
  ];
  return (
    <div>
      {options.length > 1 && (
        <div className="mb-2">
          <Segmented label={w.ranking} options={options} value={curve} onValue={setCurve} />
        </div>
      )}
      {curve === 'gains' && gains ? (
        <Lift gains={gains} />
      ) : (
        thresholds && <Line thresholds={thresholds} isRoc={curve === 'roc'} />
      )}
    </div>
  );
}

function Line({ thresholds, isRoc }: { readonly thresholds: readonly Threshold[]; readonly isRoc: boolean }) {
  const w = useWords(versionWords);
  const format = useFormat();
  const option = useCallback(
    (palette: Palette) => {
      const points = thresholds.flatMap(({ recall, precision, false_positive_rate: wrong }) => {
        if (recall === null) return [];
        if (!isRoc) return [[recall, precision]];
        return wrong === null ? [] : [[wrong, recall]];
      });
      const percent = (value: number) => format.percent(value);
      return {
        ...baseOption(palette),
        grid: { left: 8, right: 16, top: 28, bottom: 24, containLabel: true },
        tooltip: { ...baseOption(palette).tooltip, valueFormatter: (value: number) => format.percent(value) },
        xAxis: {
          type: 'value',
          min: 0,
          max: 1,
          name: isRoc ? w.falsePositives : w.recall,
          nameLocation: 'middle',
          nameGap: 26,
          ...axis(palette, percent),
        },
        yAxis: {
          type: 'value',
          min: 0,
          max: 1,
          name: isRoc ? w.recall : w.precision,
          ...axis(palette, percent),
        },
        series: [
          ...(isRoc
            ? [
                {
                  type: 'line',
                  silent: true,
                  symbol: 'none',
                  name: '',
                  lineStyle: { color: palette.line, type: 'dashed', width: 1.5 },
                  data: [
                    [0, 0],
                    [1, 1],
                  ],
                },
              ]
            : []),
          {
            type: 'line',
            name: isRoc ? w.recall : w.precision,
            symbolSize: 5,
            lineStyle: { color: palette.accent, width: 2 },
            itemStyle: { color: palette.accent },
            data: isRoc ? [[0, 0], ...points, [1, 1]] : points,
          },
        ],
      };
    },
    [thresholds, isRoc, w, format],
  );
  // What a fifth of the rows finds, or what comes nearest to it.
  const fifth = [...thresholds].sort((one, other) => Math.abs(one.rate - 0.2) - Math.abs(other.rate - 0.2))[0];
  const said = (value: number | null) => (value === null ? '—' : format.percent(value));
  return (
    <Chart
      option={option}
      height={300}
      summary={fifth ? w.rocSummary(said(fifth.recall), format.percent(fifth.rate)) : ''}
      table={{
        head: [w.threshold, w.actedOn, w.precision, w.recall, w.falsePositives],
        rows: thresholds.map((one) => [
          format.percent(one.threshold),
          format.percent(one.rate),
          format.percent(one.precision),
          said(one.recall),
          said(one.false_positive_rate),
        ]),
      }}
    />
  );
}

function Lift({ gains }: { readonly gains: readonly Gain[] }) {
  const w = useWords(versionWords);
  const format = useFormat();
  const option = useCallback(
    (palette: Palette) => ({
      ...baseOption(palette),
      xAxis: {
        type: 'category',
        data: gains.map((_, at) => String(at + 1)),
        ...axis(palette),
        splitLine: { show: false },
      },
      yAxis: { type: 'value', ...axis(palette, (value: number) => format.number(value)) },
      tooltip: { ...baseOption(palette).tooltip, valueFormatter: (value: number) => format.number(value) },
      series: [
        {
          type: 'bar',
          name: w.lift,
          data: gains.map(({ lift }) => lift ?? 0),
          itemStyle: { color: palette.accent },
          barCategoryGap: '20%',
          markLine: {
            silent: true,
            symbol: 'none',
            label: { show: false },
            lineStyle: { color: palette.ink3, type: 'dashed' },
            data: [{ yAxis: 1 }],
          },
        },
      ],
    }),
    [gains, w, format],
  );
  const said = (value: number | null) => (value === null ? '—' : format.percent(value));
  return (
    <Chart
      option={option}
      height={300}
      summary={w.liftSummary(format.number(gains[0]?.lift ?? 0))}
      table={{
        head: [w.tenth, w.rows, w.came, w.lift, w.captured],
        rows: gains.map(({ rows, observed, lift, captured }, at) => [
          String(at + 1),
          format.integer(rows),
          format.percent(observed),
          lift === null ? '—' : format.number(lift),
          said(captured),
        ]),
      }}
    />
  );
}
