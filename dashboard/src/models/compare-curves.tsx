import { useCallback, useMemo } from 'react';
import { axis, baseOption } from '../charts/axes.ts';
import { Chart, type Palette } from '../charts/chart.tsx';
import { bandOfScore, bands } from '../kit/bands.tsx';
import { Section } from '../kit/page.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { compareWords } from './compare-words.ts';
import { sayShareChange } from './figures.ts';
import type { Bin } from './histograms.tsx';
import { mainOutput, OutputChoice, type OutputMetrics } from './metrics-tab.tsx';
import { ReliabilityChart } from './reliability-chart.tsx';
import { TwoLegend } from './two-legend.tsx';
import { useVersionMetrics, type Version } from './use-models.ts';
import { versionWords } from './version-words.ts';

/** The reliability of two versions over each other, and how their answers shift. */
export function CompareCurves({
  modelId,
  base,
  candidate,
  output: wanted,
  onOutput,
}: {
  readonly modelId: string;
  readonly base: Version;
  readonly candidate: Version;
  readonly output: string | undefined;
  onOutput(output: string): void;
}) {
  const w = useWords(compareWords);
  const one = useVersionMetrics(modelId, base.id);
  const other = useVersionMetrics(modelId, candidate.id);
  if (!one.data || !other.data) return null;
  const shared = other.data.outputs.filter(({ name }) => one.data.outputs.some((output) => output.name === name));
  const after = shared.find(({ name }) => name === wanted) ?? mainOutput(shared);
  const before = one.data.outputs.find(({ name }) => name === after?.name);
  if (!after || !before) return null;
  return (
    <div className="mt-6">
      <OutputChoice outputs={shared} value={after.name} onValue={onOutput} />
      <div className="grid gap-x-8 lg:grid-cols-2">
        <Section title={w.reliability} className="!mt-2">
          <Reliability before={before} after={after} names={[`v${base.number}`, `v${candidate.number}`]} />
        </Section>
        <Shift before={before} after={after} names={[`v${base.number}`, `v${candidate.number}`]} />
      </div>
    </div>
  );
}

type Two = { readonly before: OutputMetrics; readonly after: OutputMetrics; readonly names: readonly [string, string] };

function Reliability({ before, after, names: [base, candidate] }: Two) {
  const w = useWords(compareWords);
  const lines = useMemo(
    () => [
      { name: base, rows: before.reliability ?? [], color: 'accent' as const },
      { name: candidate, rows: after.reliability ?? [], color: 'challenger' as const },
    ],
    [before, after, base, candidate],
  );
  if (lines.some(({ rows }) => rows.length === 0)) return <p className="text-ink2">{w.noReliability}</p>;
  return (
    <>
      <TwoLegend names={[base, candidate]} />
      <ReliabilityChart lines={lines} error={after.calibration?.expected_calibration_error ?? null} />
    </>
  );
}

/** The share of rows in each band of the score, or in each bin of answers where there is no score. */
function Shift({ before, after, names: [base, candidate] }: Two) {
  const w = useWords(compareWords);
  const v = useWords(versionWords);
  const c = useWords(common);
  const format = useFormat();
  const isOfScore = before.score_histogram !== null && after.score_histogram !== null;
  const rows = useMemo(() => {
    if (isOfScore)
      return bands.map(({ name, key }) => ({
        label: c.bands[key],
        before: shareIn(before.score_histogram!, name),
        after: shareIn(after.score_histogram!, name),
      }));
    const [one, other] = [before.histogram ?? [], after.histogram ?? []];
    // The bins of numbers differ from version to version; those of probabilities are the same.
    if (one.length !== other.length || one.some(({ from }, at) => from !== other[at].from)) return [];
    const [all, allOther] = [totalOf(one), totalOf(other)];
    return one.map(({ from, to, rows: count }, at) => ({
      label: `${format.percent(from)} – ${format.percent(to)}`,
      before: count / all,
      after: other[at].rows / allOther,
    }));
  }, [isOfScore, before, after, c, format]);
  const option = useCallback(
    (palette: Palette) => ({
      ...baseOption(palette),
      tooltip: { ...baseOption(palette).tooltip, valueFormatter: (value: number) => format.percent(value) },
      // Names of bands are long: they stand one below the other, on phones too.
      xAxis: { type: 'value', ...axis(palette, (value: number) => format.percent(value)) },
      yAxis: {
        ...{ type: 'category', inverse: true, data: rows.map(({ label }) => label) },
        ...{ ...axis(palette), splitLine: { show: false } },
      },
      series: [
        { type: 'bar', name: base, data: rows.map((row) => row.before), itemStyle: { color: palette.accent } },
        { type: 'bar', name: candidate, data: rows.map((row) => row.after), itemStyle: { color: palette.challenger } },
      ],
    }),
    [rows, base, candidate, format],
  );
  if (rows.length === 0) return null;
  const most = rows.reduce((one, other) =>
    Math.abs(other.after - other.before) > Math.abs(one.after - one.before) ? other : one,
  );
  const points = (row: (typeof rows)[number]) => w.points(sayShareChange(row.before, row.after, format));
  return (
    <Section
      title={isOfScore ? w.shift : w.shiftOf}
      description={isOfScore ? w.shiftBody : undefined}
      className="!mt-2"
    >
      <TwoLegend names={[base, candidate]} />
      <Chart
        option={option}
        height={300}
        summary={most.after === most.before ? w.shiftNone : w.shiftSummary(most.label, points(most))}
        table={{
          head: [isOfScore ? w.band : v.value, base, candidate, w.change],
          rows: rows.map((row) => [row.label, format.percent(row.before), format.percent(row.after), points(row)]),
        }}
      />
    </Section>
  );
}

const totalOf = (bins: readonly Bin[]): number => bins.reduce((sum, { rows }) => sum + rows, 0) || 1;

/** Bins are fifty points wide, and begin where bands do. */
function shareIn(bins: readonly Bin[], band: string): number {
  const held = bins.filter(({ from }) => bandOfScore(from).name === band);
  return held.reduce((sum, { rows }) => sum + rows, 0) / totalOf(bins);
}
