import { NotFoundError, type Schemas } from '@lastro/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Segmented, Select } from '../kit/field.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Facts, Panel, Section } from '../kit/page.tsx';
import { Empty, Failed, Skeleton } from '../kit/states.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { curveWords } from './curve-words.ts';
import { ScoreCutoff, ThresholdCutoff } from './cutoff-control.tsx';
import { sayMetric } from './figures.ts';
import { Histogram, ScoreHistogram } from './histograms.tsx';
import { metricWords, nameOfMetric } from './metric-names.ts';
import { RankingChart } from './ranking-chart.tsx';
import { ReliabilityChart } from './reliability-chart.tsx';
import { type Model, useVersionMetrics, type Version } from './use-models.ts';
import type { VersionSearch } from './version-search.ts';
import { versionWords } from './version-words.ts';

export type OutputMetrics = Schemas['OutputMetrics'];
const route = getRouteApi('/_app/models/$model_id/versions/$version_id');
/** As many as stand side by side. */
const segmentedMax = 6;

/** The curves of one output of a version. */
export function MetricsTab({
  model,
  version,
  onSearch,
}: {
  readonly model: Model;
  readonly version: Version;
  onSearch(change: Partial<VersionSearch>): void;
}) {
  const w = useWords(versionWords);
  const { output: wanted, cut } = route.useSearch();
  const { data, error, refetch } = useVersionMetrics(model.id, version.id);
  if (error instanceof NotFoundError) return <Empty title={w.noCurves}>{error.detail}</Empty>;
  if (error) return <Failed error={error} onRetry={refetch} />;
  if (!data) return <Skeleton rows={10} />;
  const output = data.outputs.find(({ name }) => name === wanted) ?? mainOutput(data.outputs);
  if (!output) return <Empty title={w.noCurves} />;
  return (
    <>
      <OutputChoice
        outputs={data.outputs}
        value={output.name}
        onValue={(name) => onSearch({ output: name, cut: undefined })}
      />
      <Curves output={output} cut={cut} onCut={(at) => onSearch({ cut: at })} />
    </>
  );
}

/** The output that a score is made of, else the first. */
export function mainOutput(outputs: readonly OutputMetrics[]): OutputMetrics | undefined {
  return outputs.find(({ score_histogram }) => score_histogram !== null) ?? outputs[0];
}

/** Chooses one of the outputs of a version. */
export function OutputChoice({
  outputs,
  value,
  onValue,
}: {
  readonly outputs: readonly { readonly name: string }[];
  readonly value: string;
  onValue(name: string): void;
}) {
  const w = useWords(versionWords);
  if (outputs.length < 2) return null;
  const options = outputs.map(({ name }) => ({ value: name, label: name }));
  return (
    <div className="mb-4">
      <div className={options.length > segmentedMax ? '' : 'sm:hidden'}>
        <Select aria-label={w.chooseOutput} className="!w-60" options={options} value={value} onValue={onValue} />
      </div>
      {options.length <= segmentedMax && (
        <div className="hidden sm:block">
          <Segmented label={w.chooseOutput} options={options} value={value} onValue={onValue} />
        </div>
      )}
    </div>
  );
}

function Curves({
  output,
  cut,
  onCut,
}: {
  readonly output: OutputMetrics;
  readonly cut: number | undefined;
  onCut(at: number): void;
}) {
  const w = useWords(versionWords);
  const about = useWords(curveWords);
  const { reliability, thresholds, gains, histogram, score_histogram: scores, cutoffs, classes, calibration } = output;
  const lines = useMemo(
    () => (reliability ? [{ name: output.name, rows: reliability, color: 'accent' as const }] : []),
    [reliability, output.name],
  );
  return (
    <>
      {cutoffs && (
        <Section title={w.cutoff} description={w.cutoffBody} className="!mt-0">
          <ScoreCutoff cutoffs={cutoffs} at={cut} onMove={onCut} />
        </Section>
      )}
      <div className="grid gap-x-8 lg:grid-cols-2">
        {scores && (
          <Section title={w.scoreHistogram} description={w.scoreHistogramBody}>
            <ScoreHistogram bins={scores} cutoffs={cutoffs} />
          </Section>
        )}
        {reliability && reliability.length > 0 && (
          <Section title={w.reliability} description={w.reliabilityBody}>
            <ReliabilityChart lines={lines} error={calibration?.expected_calibration_error ?? null} />
          </Section>
        )}
        {(thresholds || gains) && (
          <Section title={w.ranking} description={about.rankingBody}>
            <RankingChart key={output.name} thresholds={thresholds} gains={gains} />
          </Section>
        )}
        {histogram && histogram.length > 0 && (
          <Section title={w.histogram} description={thresholds === null ? undefined : w.histogramBody}>
            <Histogram bins={histogram} isProbability={thresholds !== null} />
          </Section>
        )}
      </div>
      {!cutoffs && thresholds && thresholds.length > 0 && (
        <Section title={w.cutoff} description={w.cutoffBody}>
          <ThresholdCutoff
            thresholds={thresholds}
            rows={output.rows}
            positives={output.positives}
            at={cut}
            onMove={onCut}
          />
        </Section>
      )}
      {classes && (
        <Section title={w.classes}>
          <Classes classes={classes} />
        </Section>
      )}
      <OtherMetrics output={output} />
    </>
  );
}

function Classes({ classes }: { readonly classes: readonly Schemas['MetricsClass'][] }) {
  const w = useWords(versionWords);
  const format = useFormat();
  return (
    <Ledger
      label={w.classes}
      rows={classes}
      keyOf={({ name }) => name}
      columns={[
        { key: 'name', head: w.className, cell: ({ name }) => <bdi className="break-words">{name}</bdi> },
        { key: 'rows', head: w.rows, isRight: true, cell: ({ rows }) => format.integer(rows) },
        { key: 'predicted', head: w.predicted, isRight: true, cell: ({ predicted }) => format.integer(predicted) },
        { key: 'correct', head: w.correct, isRight: true, cell: ({ correct }) => format.integer(correct) },
        {
          key: 'recall',
          head: w.recall,
          isRight: true,
          cell: ({ rows, correct }) => (rows === 0 ? '—' : format.percent(correct / rows)),
        },
        {
          key: 'precision',
          head: w.precision,
          isRight: true,
          cell: ({ predicted, correct }) => (predicted === 0 ? '—' : format.percent(correct / predicted)),
        },
      ]}
    />
  );
}

function OtherMetrics({ output }: { readonly output: OutputMetrics }) {
  const w = useWords(versionWords);
  const m = useWords(metricWords);
  const format = useFormat();
  const about: Readonly<Record<string, string>> = m.about;
  const curves = useWords(curveWords);
  const { others, folds, calibration, sureness } = output;
  const hundredths = (value: number) => format.number(Math.round(100 * value) / 100);
  const withError = (value: number | null, error: number | null) =>
    value === null ? '—' : `${hundredths(value)}${error === null ? '' : ` ± ${hundredths(error)}`}`;
  return (
    <>
      <Section title={w.others}>
        <Ledger
          label={w.others}
          rows={Object.entries(others)}
          keyOf={([name]) => name}
          columns={[
            { key: 'metric', head: w.metric, cell: ([name]) => nameOfMetric(m.names, name) },
            {
              key: 'value',
              head: w.value,
              isRight: true,
              cell: ([, value]) => <span className="font-medium">{sayMetric(value, format)}</span>,
            },
            {
              key: 'about',
              head: w.about,
              isMinor: true,
              cell: ([name]) => <span className="text-ink2">{about[name]}</span>,
            },
          ]}
        />
      </Section>
      {folds.length > 1 && (
        <p className="mt-2 text-ink2">
          {w.folds}: {folds.map((fold) => sayMetric(fold, format)).join(' → ')}
        </p>
      )}
      {(calibration || sureness) && (
        <Section title={w.calibration} description={calibration && curves.calibrationBody}>
          <Panel className="p-4">
            <Facts
              columns={4}
              of={[
                calibration && [
                  w.calibrationError,
                  `${format.percent(calibration.expected_calibration_error)} (${w.ofPerfect(format.percent(calibration.of_perfect.high))})`,
                ],
                calibration && [
                  w.slope,
                  `${withError(calibration.slope, calibration.slope_standard_error)} (${w.isRight('1')})`,
                ],
                calibration && [
                  w.intercept,
                  `${withError(calibration.intercept, calibration.intercept_standard_error)} (${w.isRight('0')})`,
                ],
                sureness && [
                  w.sureness,
                  sureness.kind === 'conformal'
                    ? w.boundsHeld(format.percent(sureness.observed), format.percent(sureness.expected))
                    : w.ratesHeld(
                        format.percent(sureness.observed),
                        format.percent(sureness.lower),
                        format.percent(sureness.upper),
                      ),
                ],
              ]}
            />
          </Panel>
        </Section>
      )}
    </>
  );
}
