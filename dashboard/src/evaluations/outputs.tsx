import type { Schemas } from '@lastro/sdk';
import { useMemo } from 'react';
import { Segmented } from '../kit/field.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Facts, Panel, Section } from '../kit/page.tsx';
import { Tag } from '../kit/status.tsx';
import { type Figures, sayChange, sayMetric } from '../models/figures.ts';
import { fewToMeasure, headlineOf } from '../models/judge.ts';
import { MetricName } from '../models/metric-name.tsx';
import { metricWords, nameOfMetric } from '../models/metric-names.ts';
import { OutputChoice } from '../models/metrics-tab.tsx';
import { RankingChart } from '../models/ranking-chart.tsx';
import { ReliabilityChart } from '../models/reliability-chart.tsx';
import { OutputVerdict } from '../models/verdict.tsx';
import { scaleOf, Whisker } from '../models/whisker.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { EvaluationSearch } from './evaluation-search.ts';
import { type Evaluation, firstShown, mainOutput, memoryOf } from './use-evaluations.ts';
import { evaluationWords } from './words.ts';

type Rows = Schemas['EvaluatedRows'];
type Estimate = Schemas['EvaluationEstimate'];
type Estimates = Readonly<Record<string, Estimate | undefined>>;
type Names = readonly [string, string | null];

/** The outputs of an evaluation, one at a time, on all rows or on those that are later than the learning. */
export function EvaluatedOutputs({
  result,
  taskId,
  names,
  chosen,
  onChoose,
}: {
  readonly result: NonNullable<Evaluation['result']>;
  readonly taskId: string | undefined;
  readonly names: Names;
  readonly chosen: EvaluationSearch;
  onChoose(change: EvaluationSearch): void;
}) {
  const w = useWords(evaluationWords);
  const format = useFormat();
  const output = result.outputs.find(({ name }) => name === chosen.output) ?? firstShown(result.outputs);
  if (!output) return null;
  const scope = chosen.rows ?? (output.later ? 'later' : 'all');
  const rows = scope === 'later' ? output.later : output.all;
  const doubt = scope === 'later' ? null : memoryOf(result);
  const figures = rows && figuresOf(output, rows, output === mainOutput(result.outputs));
  return (
    <Section
      title={w.result}
      description={scope === 'later' ? w.laterHint : undefined}
      actions={
        output.later &&
        output.all && (
          <Segmented
            label={w.scope}
            options={[
              { value: 'later', label: w.later },
              { value: 'all', label: w.all },
            ]}
            value={scope}
            onValue={(value) => onChoose({ rows: value })}
          />
        )
      }
    >
      <OutputChoice outputs={result.outputs} value={output.name} onValue={(name) => onChoose({ output: name })} />
      {figures && (
        <Panel className="mb-4 px-4 py-3">
          <OutputVerdict taskId={taskId} figures={figures} verdict={headlineOf(figures, doubt, [])} isOfFile />
        </Panel>
      )}
      {rows ? (
        <Measured rows={rows} metric={output.metric} names={names} isDoubted={doubt !== null} />
      ) : (
        <p className="text-ink2">{scope === 'later' ? w.nothingLater : w.nothing}</p>
      )}
      {(output.unlabelled > 0 || output.open > 0) && (
        <p className="mt-2 text-ink2">
          {w.unlabelled}: {format.integer(output.unlabelled)} · {w.open}: {format.integer(output.open)}
        </p>
      )}
    </Section>
  );
}

/** What was measured of an output on some of the rows, as a version tells it. */
function figuresOf({ name, metric }: Schemas['EvaluatedOutput'], { model, naive }: Rows, isOfScore: boolean): Figures {
  const { rows, positives, calibration, sureness } = model;
  const values = Object.entries(model.metrics as Estimates).flatMap(([name, of]) =>
    typeof of?.value === 'number' ? [[name, of.value] as const] : [],
  );
  const others: Readonly<Record<string, number>> = Object.fromEntries(values);
  const [said, came] = [model.mean_predicted, model.mean_observed];
  const isChecked = calibration !== null && typeof said === 'number' && typeof came === 'number';
  return {
    ...{ name, rows, positives, metric, naive, others, value: others[metric] ?? null },
    ...{ days: null, learned: null, months: [], standardError: null, recipe: null },
    checked: isChecked
      ? {
          ...{ rows: calibration.rows, days: null, said, came, z: calibration.spiegelhalter_z ?? 0 },
          ...{ slope: calibration.slope, slopeError: calibration.slope_standard_error },
          ...{ error: calibration.expected_calibration_error, errorMax: calibration.of_perfect.high },
          bins: (model.reliability ?? []).map((bin) => ({
            ...{ rows: bin.rows, said: bin.mean_predicted, came: bin.observed },
          })),
        }
      : null,
    bounds: sureness?.kind === 'conformal' ? sureness : null,
    isOfScore: isOfScore && /^pd_\d+d$/.test(name),
  };
}

/** What was measured on some of the rows. */
type OfRows = {
  readonly rows: Rows;
  readonly metric: string;
  readonly names: Names;
  /** Whether most of the rows may have been learned from: no figure stands out then. */
  readonly isDoubted: boolean;
};

function Measured({ rows, metric, names, isDoubted }: OfRows) {
  const w = useWords(evaluationWords);
  const { model, compare_with: other, comparison } = rows;
  const lines = useMemo(
    () => [
      ...(model.reliability ? [{ name: names[0], rows: model.reliability, color: 'accent' as const }] : []),
      ...(other?.reliability ? [{ name: names[1] ?? '', rows: other.reliability, color: 'challenger' as const }] : []),
    ],
    [model, other, names[0], names[1]],
  );
  return (
    <>
      {comparison && <Verdict comparison={comparison} metric={metric} />}
      <MetricTable rows={rows} metric={metric} names={names} isDoubted={isDoubted} />
      <div className="grid gap-x-8 lg:grid-cols-2">
        {lines.length > 0 && (
          <Section title={w.reliability}>
            {lines.length > 1 && (
              <p className="flex flex-wrap gap-x-4 text-ink2 text-meta">
                {lines.map(({ name, color }) => (
                  <span key={color} className="inline-flex items-center gap-1.5">
                    <span
                      className={`size-2 ${color === 'accent' ? 'rounded-full bg-accent' : 'bg-challenger'}`}
                      aria-hidden="true"
                    />
                    {name}
                  </span>
                ))}
              </p>
            )}
            <ReliabilityChart lines={lines} error={model.calibration?.expected_calibration_error ?? null} />
          </Section>
        )}
        {model.gains && model.gains.length > 0 && (
          <Section title={w.gains}>
            <RankingChart thresholds={null} gains={model.gains} />
          </Section>
        )}
      </div>
      {rows.segments.map((segment) => (
        <Section key={segment.column} title={w.segmentsTitle(segment.column)}>
          <Segment segment={segment} metric={metric} />
        </Section>
      ))}
    </>
  );
}

/** Which of two is better, and how far they agree. */
function Verdict({
  comparison,
  metric,
}: {
  readonly comparison: Schemas['EvaluationComparison'];
  readonly metric: string;
}) {
  const w = useWords(evaluationWords);
  const format = useFormat();
  const gains = Object.values(comparison.gains as Estimates);
  const isSame =
    gains.every((gain) => gain?.value === 0 && gain.low === 0 && gain.high === 0) &&
    (comparison.mean_change ?? 0) === 0 &&
    (comparison.class_changed ?? 0) === 0;
  const gain = (comparison.gains as Estimates)[metric];
  const isOfChance = !gain || gain.low === null || gain.high === null || gain.low * gain.high <= 0;
  const share = (value: number | null) => value !== null && format.percent(value);
  const facts = [
    [w.rank, comparison.rank_correlation !== null && format.thousandths(comparison.rank_correlation)],
    [w.meanChange, comparison.mean_change !== null && sayChange(0, comparison.mean_change, format)],
    [w.decile, share(comparison.decile_changed)],
    [w.bandChanged, share(comparison.band_changed)],
    [w.classChanged, share(comparison.class_changed)],
  ] as const;
  return (
    <Panel className="mb-4 p-4">
      <p className="font-semibold text-title">{isSame ? w.same : w.verdict[comparison.better]}</p>
      {comparison.reason && !isSame && <p className="mt-1 text-ink2">{isOfChance ? w.ofChance : w.ofLearning}</p>}
      <h3 className="mt-3 mb-1 text-ink3 text-meta">{w.agreement}</h3>
      <Facts columns={4} of={facts.map(([label, said]) => said !== false && ([label, said] as const))} />
    </Panel>
  );
}

function MetricTable({ rows, metric, names, isDoubted }: OfRows) {
  const w = useWords(evaluationWords);
  const format = useFormat();
  const [own, other, gains] = [rows.model.metrics, rows.compare_with?.metrics, rows.comparison?.gains].map(
    (estimates) => (estimates ?? {}) as Estimates,
  );
  const listed = Object.keys(own).sort((one, another) => Number(another === metric) - Number(one === metric));
  const endsOf = (name: string) => [own[name], other[name]].flatMap((of) => [of?.value, of?.low, of?.high]);
  const isShare = (name: string) => endsOf(name).every((end) => typeof end !== 'number' || (end >= 0 && end <= 1));
  // Metrics between 0 and 1 are drawn on one scale, so that their intervals can be compared.
  const shared = scaleOf(listed.filter(isShare).flatMap(endsOf));
  const cell = (estimate: Estimate | undefined, name: string) => {
    if (!estimate || estimate.value === null) return <span className="text-ink3">—</span>;
    return (
      <span className="grid items-center gap-3 sm:min-w-44 sm:grid-cols-[56px_minmax(80px,1fr)]">
        <span className={isDoubted ? 'text-ink3' : name === metric ? 'font-semibold text-section' : 'font-medium'}>
          {sayMetric(estimate.value, format)}
        </span>
        <span className="hidden sm:block" title={sayInterval(estimate)}>
          <Whisker
            value={estimate.value}
            interval={intervalOf(estimate)}
            naive={null}
            scale={isShare(name) ? shared : scaleOf(endsOf(name))}
          />
        </span>
      </span>
    );
  };
  const sayInterval = ({ low, high }: Estimate) =>
    low === null || high === null ? '—' : `${sayMetric(low, format)} – ${sayMetric(high, format)}`;
  return (
    <Ledger
      label={w.result}
      rows={listed}
      keyOf={(name) => name}
      columns={[
        { key: 'metric', head: w.metric, cell: (name) => <MetricName of={name} /> },
        { key: 'model', head: names[0], cell: (name) => cell(own[name], name) },
        {
          key: 'interval',
          head: w.interval,
          isMinor: true,
          cell: (name) => <span className="whitespace-nowrap text-ink2">{own[name] && sayInterval(own[name])}</span>,
        },
        ...(names[1]
          ? [
              { key: 'other', head: names[1], cell: (name: string) => cell(other[name], name) },
              {
                key: 'gain',
                head: w.gain,
                isRight: true,
                cell: (name: string) => {
                  const gain = gains[name];
                  if (!gain || gain.value === null) return '—';
                  const isClear = gain.low !== null && gain.high !== null && gain.low * gain.high > 0;
                  const tone = !isClear ? 'text-ink2' : gain.value > 0 ? 'text-good' : 'text-bad';
                  return (
                    <span className={`whitespace-nowrap ${tone}`} title={sayInterval(gain)}>
                      {sayChange(0, gain.value, format)}
                    </span>
                  );
                },
              },
            ]
          : []),
      ]}
    />
  );
}

const intervalOf = ({ low, high }: Estimate): readonly [number, number] | null =>
  low === null || high === null ? null : [low, high];

function Segment({ segment, metric }: { readonly segment: Schemas['EvaluationSegment']; readonly metric: string }) {
  const w = useWords(evaluationWords);
  const m = useWords(metricWords);
  const format = useFormat();
  const scale = scaleOf(segment.values.flatMap((one) => [one.metric.value, one.metric.low, one.metric.high]));
  const isRate = segment.values.some(({ positives }) => positives !== null);
  const share = (value: number | null) =>
    value === null ? '—' : isRate ? format.percent(value) : format.number(value);
  return (
    <>
      <Ledger
        label={w.segmentsTitle(segment.column)}
        rows={segment.values}
        keyOf={({ value }) => value ?? ''}
        columns={[
          {
            key: 'value',
            head: w.value,
            cell: ({ value, is_small: isSmall, rows, positives }) => (
              <span className="flex flex-wrap items-center gap-2">
                <bdi className="break-words">{value ?? w.empty}</bdi>
                {isSmall && <Tag tone="warn">{w.small[fewToMeasure({ rows, positives })?.of ?? 'rows']}</Tag>}
              </span>
            ),
          },
          { key: 'rows', head: w.rows, isRight: true, cell: ({ rows }) => format.integer(rows) },
          {
            key: 'metric',
            head: nameOfMetric(m.names, metric),
            isRight: true,
            cell: ({ metric: of }) => <span className="font-medium">{sayMetric(of.value, format)}</span>,
          },
          {
            key: 'scale',
            head: w.interval,
            isMinor: true,
            cell: ({ metric: of }) =>
              of.value !== null && <Whisker value={of.value} interval={intervalOf(of)} naive={null} scale={scale} />,
          },
          { key: 'said', head: w.said, isRight: true, isMinor: true, cell: ({ mean_predicted: mean }) => share(mean) },
          { key: 'came', head: w.came, isRight: true, isMinor: true, cell: ({ mean_observed: mean }) => share(mean) },
        ]}
      />
      {segment.others && (
        <p className="mt-1 text-ink3 text-meta">
          {w.others(format.integer(segment.others.values), format.integer(segment.others.rows))}
        </p>
      )}
    </>
  );
}
