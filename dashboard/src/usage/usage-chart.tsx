import { useCallback, useMemo } from 'react';
import { axis, baseOption } from '../charts/axes.ts';
import { Chart, type Palette } from '../charts/chart.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { dayOf, daysFrom, type Meter, type Usage } from './meter.ts';
import { usageWords } from './words.ts';

/** One meter by day or month, with what the running month comes to if it goes on like this. */
export function UsageChart({
  meter,
  rows,
  by,
  span,
  today,
}: {
  readonly meter: Meter;
  readonly rows: readonly Usage[];
  readonly by: 'day' | 'month';
  readonly span: { readonly from: string; readonly to: string };
  readonly today: Date;
}) {
  const w = useWords(usageWords);
  const format = useFormat();
  const total = rows.reduce((sum, { quantity }) => sum + quantity, 0);
  const bars = useMemo(() => {
    if (by === 'month') return rows.map(({ month, quantity }) => ({ at: `${(month ?? '').slice(0, 7)}-01`, quantity }));
    const byDay = new Map(rows.map(({ day, quantity }) => [day, quantity]));
    return daysFrom(span.from, span.to).map((day) => ({ at: day, quantity: byDay.get(day) ?? 0 }));
  }, [rows, by, span.from, span.to]);
  const say = useCallback((at: string) => (by === 'month' ? format.month(at) : format.day(at)), [by, format]);
  const option = useCallback(
    (palette: Palette) => ({
      ...baseOption(palette),
      xAxis: { type: 'category', data: bars.map(({ at }) => say(at)), ...axis(palette) },
      yAxis: { type: 'value', minInterval: 1, ...axis(palette, (value: number) => format.compact(value)) },
      series: [
        {
          type: 'bar',
          name: w.meters[meter],
          data: bars.map(({ quantity }) => quantity),
          itemStyle: { color: palette.accent, borderRadius: [2, 2, 0, 0] },
          barMaxWidth: 28,
        },
      ],
    }),
    [bars, say, format, w, meter],
  );
  const isThisMonth =
    span.from === dayOf(new Date(today.getFullYear(), today.getMonth(), 1)) && span.to === dayOf(today);
  const lastDay = new Date(today.getFullYear(), today.getMonth() + 1, 0).getDate();
  return (
    <>
      <Chart
        option={option}
        summary={w.summary(w.meters[meter], format.integer(total), format.day(span.from), format.day(span.to))}
        table={{
          head: [by === 'month' ? w.month : w.day, w.quantity],
          rows: bars.map(({ at, quantity }) => [say(at), format.integer(quantity)]),
        }}
        height={280}
      />
      {isThisMonth && total > 0 && (
        <p className="mt-2 text-body text-ink2">
          {w.pace(format.integer(Math.round((total / today.getDate()) * lastDay)))}
        </p>
      )}
    </>
  );
}
